import type { SystemCtx } from '../../../platform/ctx.ts'
import { notifyOfRun, alertLateness } from '../alerts.service.ts'
import { type AlertKind, findEndedRuns, findAlertRun, findWatchedRuns, saveAlertProblem } from './alerts.repository.ts'
import { callWebhook, toWebhookBody } from './webhook.ts'

/** Less lateness is normal. */
const MIN_LATENESS_MS = 60_000

const LOOK_BACK_MS = 5 * 60_000

export async function handleWatchRuns(ctx: SystemCtx): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - LOOK_BACK_MS)
  for (const id of await findEndedRuns(ctx, since)) await notifyOfRun(ctx, id)
  const dueBefore = new Date(ctx.clock.now().getTime() - MIN_LATENESS_MS)
  for (const run of await findWatchedRuns(ctx, dueBefore)) await alertLateness(ctx, run)
}

export interface WebhookPayload {
  run_id: number
  kind: AlertKind
  detail?: string | undefined
}

export async function handleSendWebhook(ctx: SystemCtx, payload: WebhookPayload): Promise<void> {
  const run = await findAlertRun(ctx, payload.run_id)
  if (!run || run.alerts.webhook_url === null) return
  const { publicUrl } = ctx.ports.config
  const alert = { kind: payload.kind, detail: payload.detail ?? '' }
  const body = toWebhookBody(run, alert, { publicUrl, now: ctx.clock.now() })
  const problem = await callWebhook(ctx, { url: run.alerts.webhook_url, keyNumber: run.key_number }, body)
  await saveAlertProblem(ctx, { runId: run.id, ...alert }, problem)
  if (problem !== null) throw new Error(`The webhook was not told: ${problem}`)
}
