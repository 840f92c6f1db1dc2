import type { LOG_LEVELS } from '@trellis/contract/dataflows/dataflow-words'
import { sql } from 'kysely'
import type { WorkspaceScope } from './runs.repository.ts'

export interface LineRow {
  number: number
  at: Date
  level: (typeof LOG_LEVELS)[number]
  attempt: number
  subtask: string | null
  message: string
}

export interface LinesWanted {
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly level?: string | undefined
  readonly search?: string | undefined
  readonly limit: number
}

export const toLikePattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`

/** With `before` the lines right before it, otherwise those after `after`. */
export async function findLines(scope: WorkspaceScope, runId: number, wanted: LinesWanted): Promise<LineRow[]> {
  const pattern = wanted.search ? toLikePattern(wanted.search) : null
  const isBackwards = wanted.before !== undefined && wanted.after === undefined
  const { rows } = await sql<LineRow>`
    select number, at, level, attempt, subtask, message from task_run_logs
     where account_id = ${scope.account.id} and run_id = ${runId}
       and number > ${wanted.after ?? 0} and (${wanted.before ?? null}::bigint is null or number < ${wanted.before ?? null})
       and (${wanted.level ?? null}::text is null or level = ${wanted.level ?? null})
       and (${pattern}::text is null or message ilike ${pattern} or subtask ilike ${pattern})
     order by number ${isBackwards ? sql`desc` : sql`asc`} limit ${wanted.limit}`.execute(scope.db)
  return isBackwards ? rows.toReversed() : rows
}

export async function hasLines(
  scope: WorkspaceScope,
  runId: number,
  wanted: Omit<LinesWanted, 'limit'>,
): Promise<boolean> {
  return (await findLines(scope, runId, { ...wanted, limit: 1 })).length > 0
}
