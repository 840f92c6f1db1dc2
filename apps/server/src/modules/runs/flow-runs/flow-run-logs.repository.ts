import type * as schemas from '@trellis/contract/runs/flow-runs.schemas'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { type LineRow, toLikePattern } from '../logs.repository.ts'
import type { WorkspaceScope } from '../runs.repository.ts'

export type LogFilter = z.infer<typeof schemas.FlowRunLogFilter>
/** Per block run: timestamps of different runs are not committed in order. */
export type LogPosition = ReadonlyMap<number, number>

interface FlowLinesQuery {
  readonly runIds: readonly number[]
  readonly position: LogPosition
  readonly filter: LogFilter
  readonly limit: number
}

/** Timestamps are made monotonic per run, so that a page never skips a line. */
export async function findFlowLines(
  ctx: WorkspaceScope,
  query: FlowLinesQuery,
): Promise<(LineRow & { run_id: number })[]> {
  const { runIds, position, filter, limit } = query
  const pattern = filter.search ? toLikePattern(filter.search) : null
  const { rows } = await sql<LineRow & { run_id: number }>`
    select l.run_id, l.number, l.at, l.level, l.attempt, l.subtask, l.message
      from unnest(${runIds}::bigint[], ${runIds.map((id) => position.get(id) ?? 0)}::bigint[]) as p(run_id, number)
     cross join lateral (
       select n.*, max(n.at) over (order by n.number) as not_before
         from (select * from task_run_logs t
                where t.account_id = ${ctx.account.id} and t.run_id = p.run_id and t.number > p.number
                  and (${filter.level ?? null}::text is null or t.level = ${filter.level ?? null})
                  and (${pattern}::text is null or t.message ilike ${pattern} or t.subtask ilike ${pattern})
                order by t.number limit ${limit}) n) l
     order by l.not_before, l.run_id, l.number limit ${limit}`.execute(ctx.db)
  return rows
}
