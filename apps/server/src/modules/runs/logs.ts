import type { FileBody } from '@trellis/contract/core/shapes'
import type * as schemas from '@trellis/contract/runs/runs.schemas'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type LineRow, findLines, hasLines } from './logs.repository.ts'
import { getRun } from './runs.service.ts'

const LINES_PER_PAGE = 200
const DOWNLOAD_LINES_PER_READ = 2000

type Filter = z.infer<typeof schemas.LogFilter>

export const toLine = (row: LineRow) => ({ ...row, at: row.at.toISOString() })

export async function readLogs(
  ctx: WorkspaceCtx,
  code: string,
  filter: Filter,
): Promise<z.infer<typeof schemas.LogPage>> {
  const run = await getRun(ctx, code)
  const lines = await findLines(ctx, run.id, { ...filter, limit: filter.limit ?? LINES_PER_PAGE })
  const lastNumber = lines.at(-1)?.number ?? filter.after ?? 0
  const { level, search } = filter
  const isOver = isTerminal(run.status) && !(await hasLines(ctx, run.id, { after: lastNumber, level, search }))
  return { lines: lines.map(toLine), is_over: isOver, run_status: run.status }
}

/** Streams: a log may be too large for memory. */
export async function downloadLogs(ctx: WorkspaceCtx, code: string): Promise<FileBody> {
  const run = await getRun(ctx, code)
  return {
    name: `${run.block_name} ${run.trellis_code}.log`,
    contentType: 'text/plain; charset=utf-8',
    size: null,
    tag: `${run.trellis_code}-${run.status}`,
    open: async () => streamLogText(ctx, run.id),
  }
}

async function* streamLogText(ctx: WorkspaceCtx, runId: number): AsyncGenerator<Uint8Array> {
  for (let after = 0; ;) {
    const lines = await findLines(ctx, runId, { after, limit: DOWNLOAD_LINES_PER_READ })
    if (lines.length === 0) return
    yield Buffer.from(lines.map(formatLine).join(''))
    after = lines.at(-1)?.number ?? after
  }
}

const formatLine = ({ at, level, attempt, subtask, message }: LineRow) =>
  `${at.toISOString()} ${level.padEnd(7)} [${attempt}]${subtask === null ? '' : ` ${subtask}:`} ${message}\n`
