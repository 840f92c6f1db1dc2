import type * as schemas from '@trellis/contract/runs/flow-runs.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { toLine } from '../logs.ts'
import { type LogFilter, type LogPosition, findFlowLines } from './flow-run-logs.repository.ts'
import { findBlockRuns } from './flow-runs.repository.ts'
import { getFlowRunRow } from './flow-runs.service.ts'
import { summarizeBlockRuns } from './show-flow-run.ts'

const LINES_PER_PAGE = 200

export async function readFlowRunLogs(
  ctx: WorkspaceCtx,
  code: string,
  filter: LogFilter,
): Promise<z.infer<typeof schemas.FlowRunLogPage>> {
  const flowRun = await getFlowRunRow(ctx, code)
  // Read the status before the lines, so that an ended run has all of them.
  const runs = await findBlockRuns(ctx, [flowRun.id])
  const { state } = summarizeBlockRuns(runs, [])
  const position = parsePosition(filter.after ?? '')
  const limit = filter.limit ?? LINES_PER_PAGE
  const rows = await findFlowLines(ctx, { runIds: runs.map(({ id }) => id), position, filter, limit: limit + 1 })
  const lines = rows.slice(0, limit)
  const runById = new Map(runs.map((run) => [run.id, run]))
  return {
    lines: lines.map(({ run_id: runId, ...line }) => ({
      ...toLine(line),
      task_run_trellis_code: runById.get(runId)?.code ?? '',
      block_name: runById.get(runId)?.block_name ?? '',
    })),
    next: formatPosition(new Map([...position, ...lines.map((line) => [line.run_id, line.number] as const)])),
    is_over: state !== 'running' && rows.length <= limit,
    state,
  }
}

function parsePosition(text: string): LogPosition {
  const pairs = text.split('.').flatMap((pair) => {
    const [run = '', line = ''] = pair.split('-')
    const [id, number] = [parseInt(run, 36), parseInt(line, 36)]
    return Number.isSafeInteger(id) && Number.isSafeInteger(number) ? [[id, number] as const] : []
  })
  return new Map(pairs)
}

const formatPosition = (position: LogPosition): string =>
  [...position].map(([id, number]) => `${id.toString(36)}-${number.toString(36)}`).join('.')
