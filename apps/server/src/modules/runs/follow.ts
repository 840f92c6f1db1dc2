import type { DataflowEvent, LogEvent, LogFilter } from '@trellis/contract/runs/runs.schemas'
import { isTerminal } from '@trellis/dataflow-engine/runs/run-states'
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type RunFollower, follow } from './follow-hub.ts'
import { findLines } from './logs.repository.ts'
import { showLine } from './logs.ts'
import { findCanvasChange, findRecentRuns } from './runs.repository.ts'
import { getDataflowId, getRun } from './runs.service.ts'
import { showRun } from './show-run.ts'

/** Notifications are hints: polls this often anyway. */
const LOOK_MS = 2000
const MIN_INTERVAL_MS = 150
const LINES_AT_ONCE = 500

const followTopic = ({ ports, log }: WorkspaceCtx, about: string): RunFollower =>
  follow(about, { url: ports.config.databaseDirectUrl as string, log })

export async function followDataflow(ctx: WorkspaceCtx, code: string): Promise<AsyncIterable<DataflowEvent>> {
  return dataflowEvents(ctx, await getDataflowId(ctx, code))
}

async function* dataflowEvents(ctx: WorkspaceCtx, dataflowId: number): AsyncGenerator<DataflowEvent> {
  const { signal } = ctx.http
  const following = followTopic(ctx, `flow:${dataflowId}`)
  try {
    let sent = new Map<string, string>()
    let canvas = await findCanvasChange(ctx, dataflowId)
    while (!signal.aborted) {
      const runs = (await findRecentRuns(ctx, dataflowId)).map(showRun)
      const told = new Map(runs.map((run) => [run.task_run_trellis_code, JSON.stringify(run)]))
      for (const run of runs) {
        const code = run.task_run_trellis_code
        // A run that just ended may still look active on a freshly loaded page.
        if (sent.get(code) !== told.get(code)) yield { type: 'run', run }
      }
      sent = told
      const change = await findCanvasChange(ctx, dataflowId)
      if (change.at !== canvas.at) yield { type: 'canvas', by: change.by }
      canvas = change
      await waitForNextRead(following, signal)
    }
  } finally {
    following.stop()
  }
}

/** Throttles, as there may be a thousand changes a second. */
async function waitForNextRead(following: RunFollower, signal: AbortSignal): Promise<void> {
  await sleep(MIN_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
  await following.wait(LOOK_MS, signal)
}

export async function followLogs(
  ctx: WorkspaceCtx,
  code: string,
  filter: z.infer<typeof LogFilter>,
): Promise<AsyncIterable<LogEvent>> {
  const run = await getRun(ctx, code)
  return logEvents(ctx, { runId: run.id, code, filter })
}

async function* logEvents(
  ctx: WorkspaceCtx,
  { runId, code, filter }: { runId: number; code: string; filter: z.infer<typeof LogFilter> },
): AsyncGenerator<LogEvent> {
  const { signal } = ctx.http
  const following = followTopic(ctx, `log:${runId}`)
  const { level, search } = filter
  let after = filter.after ?? 0
  try {
    while (!signal.aborted) {
      // Read the status before the lines, so that an ended run has all of them.
      const { status } = await getRun(ctx, code)
      const lines = await findLines(ctx, runId, { after, level, search, limit: LINES_AT_ONCE })
      if (lines.length > 0) yield { type: 'lines', lines: lines.map(showLine) }
      after = lines.at(-1)?.number ?? after
      if (lines.length === LINES_AT_ONCE) continue
      if (isTerminal(status)) return yield { type: 'over', run_status: status }
      await waitForNextRead(following, signal)
    }
  } finally {
    following.stop()
  }
}
