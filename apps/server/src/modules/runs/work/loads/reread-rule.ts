import type { Load } from '@trellis/loads/run/load'
import type { SubtaskLoad } from './subtask-load.ts'

/** Incremental. */
export const isIncrementalRead = ({ work, subtask }: Pick<SubtaskLoad, 'work' | 'subtask'>): boolean =>
  subtask.is_incremental && !work.run.request.is_full && !work.run.request.window

/**
 * Incremental reads and backfills return rows at the cursor's edge again. Append deduplicates them by key and cursor,
 * or as whole rows if either is missing.
 */
export function buildDuplicateCheck(subtaskLoad: SubtaskLoad): Load['duplicateCheck'] {
  const { work, subtask, write, plan, sourceKeyAndCursor } = subtaskLoad
  const canRereadRows =
    sourceKeyAndCursor.cursor !== null && (isIncrementalRead(subtaskLoad) || work.run.request.window !== undefined)
  if (write.strategy !== 'Append' || !canRereadRows) return null
  const findColumnName = (field: string | null) => plan.columns.find((column) => column.field === field)?.name
  const names = sourceKeyAndCursor.key.flatMap((field) => findColumnName(field) ?? [])
  const { primaryKey } = plan.wanted
  const key = names.length > 0 && names.length === sourceKeyAndCursor.key.length ? names : primaryKey
  const cursor = findColumnName(sourceKeyAndCursor.cursor) ?? null
  const missingText =
    cursor === null ? `the column ${sourceKeyAndCursor.cursor} is not loaded` : key.length === 0 && 'there is no key'
  if (missingText) {
    work.log(
      'WARNING',
      `Rows that come again are compared as a whole, because ${missingText}. Choose a key to have them told apart by it.`,
      subtask.name,
    )
  }
  return { key, cursor }
}
