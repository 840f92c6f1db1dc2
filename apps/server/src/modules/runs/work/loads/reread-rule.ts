import type { Load } from '@trellis/loads/run/load'
import type { SubtaskLoad } from './subtask-load.ts'

/** Incremental. */
export const isFollowing = ({ work, subtask }: Pick<SubtaskLoad, 'work' | 'subtask'>): boolean =>
  subtask.is_incremental && !work.run.request.is_full && !work.run.request.window

/**
 * Incremental reads and backfills return rows at the cursor's edge again. Append deduplicates them by key and cursor,
 * or as whole rows if either is missing.
 */
export function buildRereadRule(loading: SubtaskLoad): Load['again'] {
  const { work, subtask, write, plan, given } = loading
  const mayComeAgain = given.cursor !== null && (isFollowing(loading) || work.run.request.window !== undefined)
  if (write.strategy !== 'Append' || !mayComeAgain) return null
  const findColumnName = (field: string | null) => plan.columns.find((column) => column.field === field)?.name
  const names = given.key.flatMap((field) => findColumnName(field) ?? [])
  const { primaryKey } = plan.wanted
  const key = names.length > 0 && names.length === given.key.length ? names : primaryKey
  const cursor = findColumnName(given.cursor) ?? null
  const missing = cursor === null ? `the column ${given.cursor} is not loaded` : key.length === 0 && 'there is no key'
  if (missing) {
    work.log(
      'WARNING',
      `Rows that come again are compared as a whole, because ${missing}. Choose a key to have them told apart by it.`,
      subtask.name,
    )
  }
  return { key, cursor }
}
