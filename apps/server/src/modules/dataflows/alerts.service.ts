import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import type { SystemCtx } from '../../platform/ctx.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { dataflowAlertMail } from '../../platform/mail/templates/dataflow-alert.ts'
import { buildFlowUrl, formatSentences, formatSubject, getAlertUrl } from './alerts/alert-words.ts'
import {
  type Alert,
  type AlertRun,
  findProfilesToNotify,
  findPreviousEndStatus,
  findLatestRun,
  findReplannedDataflows,
  findTimings,
  findAlertRun,
  insertSentAlert,
  isFirstFailure,
  saveAlertProblem,
  wasFlowRunAlerted,
  wasAlertedSince,
} from './alerts/alerts.repository.ts'
import { TIMINGS_COMPARED, findLateness } from './alerts/lateness.ts'
import { NOT_MAILED, canSendMail } from './alerts/mail-budget.ts'
import { notify } from '../notifications/notifications.service.ts'
import { sendWebhook } from './dataflows.jobs.ts'

/** A block that keeps failing alerts once an hour. */
const REPEAT_MS = 3_600_000

/** Idempotent; call it when the run has ended. */
export async function notifyOfRun(ctx: SystemCtx, runId: number): Promise<void> {
  const run = await findAlertRun(ctx, runId)
  if (!run || !hasListener(run) || run.problem?.kind === 'cancelled' || run.problem?.question?.decision) return
  if (run.status === 'FAILED' || run.status === 'EXCEPTION') await alertFailure(ctx, run)
  else if (run.status === 'SUCCESS') await alertRecovery(ctx, run)
}

export async function notifyFailedRun(ctx: SystemCtx, runId: number): Promise<void> {
  const run = await findAlertRun(ctx, runId)
  if (!run || run.problem?.kind === 'cancelled' || !(await isFirstFailure(ctx, run))) return
  await notify(ctx, await findProfilesToNotify(ctx, runId), {
    account_id: run.account_id,
    workspace_id: run.workspace_id,
    kind: 'run_failed',
    title: formatSubject('failure', run),
    detail: run.problem?.message ?? 'It ended without saying why.',
    path: getAlertUrl('', run, 'failure'),
    group_key: `run_failed:${run.block_code}`,
  })
}

export async function notifyOfChangedColumns(ctx: SystemCtx, runId: number, changes: readonly string[]): Promise<void> {
  const run = await findAlertRun(ctx, runId)
  if (!run) return
  await notifyOfAlert(ctx, run, { kind: 'columns_changed', detail: changes.join(' ').slice(0, MAX_DETAIL) })
}

export async function notifyOfDroppedSlot(ctx: SystemCtx, blockCode: string, detail: string): Promise<void> {
  const run = await findLatestRun(ctx, blockCode)
  if (run) await notifyOfAlert(ctx, run, { kind: 'slot_dropped', detail: detail.slice(0, MAX_DETAIL) })
}
const MAX_DETAIL = 1000

/** In-app for the owners, and to subscribers of failures. */
async function notifyOfAlert(
  ctx: SystemCtx,
  run: AlertRun,
  alert: Alert & { kind: 'columns_changed' | 'slot_dropped' },
): Promise<void> {
  await notify(ctx, await findProfilesToNotify(ctx, run.id), {
    account_id: run.account_id,
    workspace_id: run.workspace_id,
    kind: alert.kind,
    title: formatSubject(alert.kind, run),
    detail: alert.detail,
    path: getAlertUrl('', run, alert.kind),
    group_key: `${alert.kind}:${run.block_code}`,
  })
  if (run.alerts.on_failure && hasListener(run)) await sendAlert(ctx, run, alert)
}

const toAlert = (kind: Alert['kind']): Alert => ({ kind, detail: '' })

const hasListener = ({ alerts }: AlertRun) => alerts.emails.length > 0 || alerts.webhook_url !== null

async function alertFailure(ctx: SystemCtx, run: AlertRun): Promise<void> {
  if (!run.alerts.on_failure) return
  const since = new Date(ctx.clock.now().getTime() - REPEAT_MS)
  if (!(await wasAlertedSince(ctx, run, since))) await sendAlert(ctx, run, toAlert('failure'))
}

async function alertRecovery(ctx: SystemCtx, run: AlertRun): Promise<void> {
  const previousStatus = run.alerts.on_recovery ? await findPreviousEndStatus(ctx, run) : undefined
  if (previousStatus === 'FAILED' || previousStatus === 'EXCEPTION') await sendAlert(ctx, run, toAlert('recovery'))
  await alertLateness(ctx, run)
}

export async function alertLateness(ctx: SystemCtx, run: AlertRun): Promise<void> {
  if (!run.alerts.on_later_than_usual || !hasListener(run)) return
  const now = ctx.clock.now()
  const startedAt = run.started_at ?? now
  const timing = {
    waitedMs: startedAt.getTime() - run.due_at.getTime(),
    tookMs: (run.finished_at ?? now).getTime() - startedAt.getTime(),
  }
  if (findLateness(timing, await findTimings(ctx, run, TIMINGS_COMPARED)))
    await sendAlert(ctx, run, toAlert('later_than_usual'))
}

/** Outbox: mails, webhook job and the sent marker commit together. */
async function sendAlert(ctx: SystemCtx, run: AlertRun, alert: Alert): Promise<void> {
  const { kind } = alert
  const { publicUrl } = ctx.ports.config
  await transaction(ctx, async (ctx) => {
    const now = ctx.clock.now()
    if (kind === 'failure' && (await wasFlowRunAlerted(ctx, run))) return
    if (!(await insertSentAlert(ctx, run, { ...alert, at: now }))) return
    const mail = dataflowAlertMail({
      subject: formatSubject(kind, run),
      sentences: formatSentences(alert, run, now),
      url: getAlertUrl(publicUrl, run, kind),
      publicUrl,
    })
    for (const to of new Set(run.alerts.emails)) {
      if (await canSendMail(ctx, run.account_id)) await queueMail(ctx, { to, mail })
      else await saveAlertProblem(ctx, { runId: run.id, ...alert }, NOT_MAILED)
    }
    if (run.alerts.webhook_url !== null) await enqueue(ctx, sendWebhook, { run_id: run.id, ...alert })
  })
}

/** In-app: schedules were moved after a clock correction. */
export async function notifyReplanned(ctx: SystemCtx, dataflowIds: readonly number[]): Promise<void> {
  const dataflows = await findReplannedDataflows(ctx, dataflowIds)
  for (const flow of dataflows) {
    const profileIds = [flow.created_by, flow.updated_by].filter((id) => id !== null)
    await notify(ctx, [...new Set(profileIds)], {
      account_id: flow.account_id,
      workspace_id: flow.workspace_id,
      kind: 'schedules',
      title: `"${flow.name}" was scheduled again`,
      detail: 'The clock of the server was ahead and has been corrected. Runs since then may have started too early.',
      path: buildFlowUrl('', flow),
      group_key: `schedules:${flow.dataflow_code}`,
    })
  }
}
