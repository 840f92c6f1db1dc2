import { createHmac } from 'node:crypto'
import type { BaseCtx } from '../../../platform/ctx.ts'
import { OutgoingProblem } from '../../../platform/safe-http/problem.ts'
import type { NotifiedAlertKind } from './alert-words.ts'
import { formatSentences, getAlertUrl } from './alert-words.ts'
import type { Alert, AlertRun } from './alerts.repository.ts'

const TIMEOUT_MS = 10_000
const MAX_BYTES = 64 * 1024

interface SignatureKeyName {
  readonly dataflowCode: string
  readonly keyNumber: number
}

/** Derived per dataflow, not stored. */
export function deriveSignatureKey(
  { ports }: Pick<BaseCtx, 'ports'>,
  { dataflowCode, keyNumber }: SignatureKeyName,
): string {
  const name = keyNumber === 0 ? `alerts:${dataflowCode}` : `alerts:${dataflowCode}:${keyNumber}`
  return createHmac('sha256', ports.pepper).update(name).digest('hex')
}

export interface AlertPayload {
  readonly type: NotifiedAlertKind
  readonly sent_at: string
  readonly message: string
  readonly url: string
  readonly dataflow: { readonly trellis_code: string; readonly name: string }
  readonly task_block: { readonly trellis_code: string; readonly name: string; readonly kind: string } | null
  readonly flow_run: { readonly trellis_code: string } | null
  readonly task_run: {
    readonly trellis_code: string
    readonly status: string
    readonly due_at: string
    readonly started_at: string | null
    readonly finished_at: string | null
    readonly problem: {
      readonly kind: string
      readonly message: string
      readonly advice: string | null
      readonly needs_decision: boolean
    } | null
  } | null
}

export function toWebhookBody(
  run: AlertRun,
  alert: Alert,
  { publicUrl, now }: { publicUrl: string; now: Date },
): AlertPayload {
  return {
    type: alert.kind,
    sent_at: now.toISOString(),
    message: formatSentences(alert, run, now).join(' '),
    url: getAlertUrl(publicUrl, run, alert.kind),
    dataflow: { trellis_code: run.dataflow_code, name: run.dataflow_name },
    task_block: { trellis_code: run.block_code, name: run.block_name, kind: run.kind },
    flow_run: run.flow_run_code === null ? null : { trellis_code: run.flow_run_code },
    task_run: {
      trellis_code: run.code,
      status: run.status,
      due_at: run.due_at.toISOString(),
      started_at: run.started_at?.toISOString() ?? null,
      finished_at: run.finished_at?.toISOString() ?? null,
      problem: run.problem && {
        kind: run.problem.kind,
        message: run.problem.message,
        advice: run.problem.advice,
        needs_decision: run.problem.question?.decision === null,
      },
    },
  }
}

export async function callWebhook(
  ctx: Pick<BaseCtx, 'ports' | 'clock'>,
  { url, keyNumber }: { readonly url: string; readonly keyNumber: number },
  payload: AlertPayload,
): Promise<string | null> {
  const body = JSON.stringify(payload)
  const timestamp = Math.floor(ctx.clock.now().getTime() / 1000)
  const key = deriveSignatureKey(ctx, { dataflowCode: payload.dataflow.trellis_code, keyNumber })
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
  const headers = { 'content-type': 'application/json', 'x-trellis-signature': `t=${timestamp},v1=${signature}` }
  try {
    const response = await ctx.ports.http.fetch(url, {
      method: 'POST',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      // A signed body must not follow a redirect.
      redirects: 0,
    })
    await response.body?.cancel()
    return response.ok ? null : `It answered ${response.status}.`
  } catch (error) {
    if (error instanceof OutgoingProblem) return error.message
    throw error
  }
}
