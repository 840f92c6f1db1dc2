import type { SystemCtx } from '../../../platform/ctx.ts'
import { tellLateness } from '../alerts.service.ts'
import { type AlertKind, findToldRun, findWatchedRuns, noteProblem } from './alerts.repository.ts'
import { callWebhook, toldOf } from './webhook.ts'

/** A run that is due for less than this is not late. */
const LEAST_MS = 60_000

export async function handleWatchRuns(ctx: SystemCtx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - LEAST_MS)
  for (const run of await findWatchedRuns(ctx, before)) await tellLateness(ctx, run)
}

export async function handleSendWebhook(ctx: SystemCtx, payload: { run_id: number; kind: AlertKind }): Promise<void> {
  const run = await findToldRun(ctx, payload.run_id)
  if (!run || run.alerts.webhook_url === null) return
  const { publicUrl } = ctx.ports.config
  const told = toldOf(run, payload.kind, { publicUrl, now: ctx.clock.now() })
  const problem = await callWebhook(ctx, run.alerts.webhook_url, told)
  await noteProblem(ctx, { runId: run.id, kind: payload.kind }, problem)
  if (problem !== null) throw new Error(`The webhook was not told: ${problem}`)
}
