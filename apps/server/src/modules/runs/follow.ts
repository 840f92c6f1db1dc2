import type { DataflowEvent, LogEvent, LogFilter } from '@trellis/contract/runs/runs.schemas'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type RunFollower, follow } from './follow-hub.ts'
import { findLines } from './logs.repository.ts'
import { toLine } from './logs.ts'
import { findCanvasChange, findRecentRuns } from './runs.repository.ts'
import { getDataflowId, getRun } from './runs.service.ts'
import { toTaskRun } from './show-run.ts'

/** Notifications are hints: polls this often anyway. */
const POLL_MS = 2000
const MIN_INTERVAL_MS = 150
const LINES_PER_READ = 500

const createFollower = ({ ports, log }: WorkspaceCtx, topic: string): RunFollower =>
  follow(topic, { url: ports.config.databaseDirectUrl as string, log })

export async function followDataflow(ctx: WorkspaceCtx, code: string): Promise<AsyncIterable<DataflowEvent>> {
  return streamDataflowEvents(ctx, await getDataflowId(ctx, code))
}

async function* streamDataflowEvents(ctx: WorkspaceCtx, dataflowId: number): AsyncGenerator<DataflowEvent> {
  const { signal } = ctx.http
  const follower = createFollower(ctx, `flow:${dataflowId}`)
  try {
    let previous = new Map<string, string>()
    let lastCanvasChange = await findCanvasChange(ctx, dataflowId)
    while (!signal.aborted) {
      const runs = (await findRecentRuns(ctx, dataflowId)).map(toTaskRun)
      const current = new Map(runs.map((run) => [run.task_run_trellis_code, JSON.stringify(run)]))
      for (const run of runs) {
        const code = run.task_run_trellis_code
        // A run that just ended may still look active on a freshly loaded page.
        if (previous.get(code) !== current.get(code)) yield { type: 'run', run }
      }
      previous = current
      const canvasChange = await findCanvasChange(ctx, dataflowId)
      if (canvasChange.at !== lastCanvasChange.at) yield { type: 'canvas', by: canvasChange.by }
      lastCanvasChange = canvasChange
      await waitForNextRead(follower, signal)
    }
  } finally {
    follower.stop()
  }
}

/** Throttles, as there may be a thousand changes a second. */
async function waitForNextRead(follower: RunFollower, signal: AbortSignal): Promise<void> {
  await sleep(MIN_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  await follower.wait(POLL_MS, signal)
}

export async function followLogs(
  ctx: WorkspaceCtx,
  code: string,
  filter: z.infer<typeof LogFilter>,
): Promise<AsyncIterable<LogEvent>> {
  const run = await getRun(ctx, code)
  return streamLogEvents(ctx, { runId: run.id, code, filter })
}

async function* streamLogEvents(
  ctx: WorkspaceCtx,
  { runId, code, filter }: { runId: number; code: string; filter: z.infer<typeof LogFilter> },
): AsyncGenerator<LogEvent> {
  const { signal } = ctx.http
  const follower = createFollower(ctx, `log:${runId}`)
  const { level, search } = filter
  let after = filter.after ?? 0
  try {
    while (!signal.aborted) {
      // Read the status before the lines, so that an ended run has all of them.
      const { status } = await getRun(ctx, code)
      const lines = await findLines(ctx, runId, { after, level, search, limit: LINES_PER_READ })
      if (lines.length > 0) yield { type: 'lines', lines: lines.map(toLine) }
      after = lines.at(-1)?.number ?? after
      if (lines.length === LINES_PER_READ) continue
      if (isTerminal(status)) return yield { type: 'over', run_status: status }
      await waitForNextRead(follower, signal)
    }
  } finally {
    follower.stop()
  }
}
