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

export interface LinesQuery {
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly level?: string | undefined
  readonly search?: string | undefined
  readonly limit: number
}

export const toLikePattern = (search: string) => `%${search.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`

/** With `before` the lines right before it, otherwise those after `after`. */
export async function findLines(scope: WorkspaceScope, runId: number, query: LinesQuery): Promise<LineRow[]> {
  const pattern = query.search ? toLikePattern(query.search) : null
  const isBackwards = query.before !== undefined && query.after === undefined
  const { rows } = await sql<LineRow>`
    select number, at, level, attempt, subtask, message from task_run_logs
     where account_id = ${scope.account.id} and run_id = ${runId}
       and number > ${query.after ?? 0} and (${query.before ?? null}::bigint is null or number < ${query.before ?? null})
       and (${query.level ?? null}::text is null or level = ${query.level ?? null})
       and (${pattern}::text is null or message ilike ${pattern} or subtask ilike ${pattern})
     order by number ${isBackwards ? sql`desc` : sql`asc`} limit ${query.limit}`.execute(scope.db)
  return isBackwards ? rows.toReversed() : rows
}

export async function hasLines(
  scope: WorkspaceScope,
  runId: number,
  query: Omit<LinesQuery, 'limit'>,
): Promise<boolean> {
  return (await findLines(scope, runId, { ...query, limit: 1 })).length > 0
}
