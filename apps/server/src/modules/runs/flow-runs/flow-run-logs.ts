import type * as schemas from '@trellis/contract/runs/flow-runs.schemas'
import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type LineRow, toLikePattern } from '../logs.repository.ts'
import { showLine } from '../logs.ts'
import { findBlockRuns } from './flow-runs.repository.ts'
import { getFlowRunRow } from './flow-runs.service.ts'
import { summarize } from './show-flow-run.ts'

const LINES_A_PAGE = 200

type Filter = z.infer<typeof schemas.FlowRunLogFilter>
/** Per block run: timestamps of different runs are not committed in order. */
type Position = ReadonlyMap<number, number>

export async function readFlowRunLogs(
  ctx: WorkspaceCtx,
  code: string,
  filter: Filter,
): Promise<z.infer<typeof schemas.FlowRunLogPage>> {
  const flowRun = await getFlowRunRow(ctx, code)
  // Read the status before the lines, so that an ended run has all of them.
  const runs = await findBlockRuns(ctx, [flowRun.id])
  const { state } = summarize(runs, [])
  const position = parsePosition(filter.after ?? '')
  const limit = filter.limit ?? LINES_A_PAGE
  const rows = await findFlowLines(ctx, { runIds: runs.map(({ id }) => id), position, filter, limit: limit + 1 })
  const lines = rows.slice(0, limit)
  const byId = new Map(runs.map((run) => [run.id, run]))
  return {
    lines: lines.map(({ run_id: runId, ...line }) => ({
      ...showLine(line),
      task_run_trellis_code: byId.get(runId)?.code ?? '',
      block_name: byId.get(runId)?.block_name ?? '',
    })),
    next: formatPosition(new Map([...position, ...lines.map((line) => [line.run_id, line.number] as const)])),
    is_over: state !== 'running' && rows.length <= limit,
    state,
  }
}

function parsePosition(text: string): Position {
  const pairs = text.split('.').flatMap((pair) => {
    const [run = '', line = ''] = pair.split('-')
    const [id, number] = [parseInt(run, 36), parseInt(line, 36)]
    return Number.isSafeInteger(id) && Number.isSafeInteger(number) ? [[id, number] as const] : []
  })
  return new Map(pairs)
}

const formatPosition = (position: Position): string =>
  [...position].map(([id, number]) => `${id.toString(36)}-${number.toString(36)}`).join('.')

interface LinesWanted {
  readonly runIds: readonly number[]
  readonly position: Position
  readonly filter: Filter
  readonly limit: number
}

/** Timestamps are made monotonic per run, so that a page never skips a line. */
async function findFlowLines(ctx: WorkspaceCtx, wanted: LinesWanted): Promise<(LineRow & { run_id: number })[]> {
  const { runIds, position, filter, limit } = wanted
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
