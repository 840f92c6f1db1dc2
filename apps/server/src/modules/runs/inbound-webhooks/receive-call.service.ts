import type { TenantDb } from '@trellis/control-db/database'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { runOncePerKey } from '../../../platform/idempotency.ts'
import { toOwnerCtx } from '../../../platform/person-ctx.ts'
import { toNetworkPrefix, consumeLimit } from '../../../platform/rate-limit.ts'
import { assertPlanRuns } from '../../billing/plan-gate.service.ts'
import { startFlowRun } from '../flow-runs/flow-runs.service.ts'
import { type CalledWebhook, findCalledWebhook } from './inbound-webhooks.repository.ts'
import { matchesSecret } from './webhook-secret.ts'

export type { CalledWebhook }

const CALLS_PER_MINUTE = [60, 60] as const
/** Limits lookups of unknown URLs. */
const MISSES_PER_MINUTE = [120, 60] as const

/** Postgres refuses NUL with its own error, which would tell such URLs apart. */
const WEBHOOK_CODE = /^[a-z0-9]{1,40}$/

const webhookNotFoundError = () =>
  new AppError(
    'not_found',
    'There is no webhook at this address, or its secret was replaced. Ask for the address in use.',
  )

interface Caller {
  readonly code: string
  readonly secret: string
  readonly ip: string
}

/** Before the body is read; without the secret nothing is revealed. */
export async function admitWebhookCall(ctx: SystemCtx, { code, secret, ip }: Caller): Promise<CalledWebhook> {
  const webhook = WEBHOOK_CODE.test(code) ? await findCalledWebhook(ctx.db, code) : undefined
  if (!matchesSecret(secret, webhook?.secret_hash) || !webhook) {
    await consumeCallLimit(ctx, `webhook|miss|${toNetworkPrefix(ip)}`, MISSES_PER_MINUTE)
    throw webhookNotFoundError()
  }
  await consumeCallLimit(ctx, `webhook|${webhook.webhook_code}`, CALLS_PER_MINUTE)
  return webhook
}

async function consumeCallLimit(
  { db, ports }: SystemCtx,
  key: string,
  allowance: readonly [number, number],
): Promise<void> {
  if (ports.config.hasRateLimits) await consumeLimit(db, key, allowance)
}

interface StartedByWebhook {
  readonly data: { readonly flow_run_trellis_code: string; readonly url: string }
}

interface WebhookCall {
  readonly webhook: CalledWebhook
  readonly idempotencyKey: string | undefined
  readonly db: TenantDb
}

/** Runs without a person, like a schedule. Idempotent with a key. */
export async function startByWebhook(
  system: SystemCtx,
  { webhook, idempotencyKey: key, db }: WebhookCall,
): Promise<{ body: unknown; isReplay: boolean }> {
  assertPlanRuns(webhook, system.clock.now())
  const ctx = { ...toOwnerCtx(system, webhook, AbortSignal.timeout(60_000)), db }
  const startRun = async (tx: typeof ctx): Promise<{ status: number; body: StartedByWebhook }> => {
    if (webhook.is_paused) {
      throw new AppError('conflict', 'This dataflow is paused. Resume it in Trellis, then call again.')
    }
    const code = await startFlowRun(tx, webhook.dataflow_id, 'inbound_webhook')
    return { status: 202, body: { data: { flow_run_trellis_code: code, url: toFlowRunUrl(system, webhook, code) } } }
  }
  if (key === undefined) return { ...(await startRun(ctx)), isReplay: false }
  const actor = `webhook:${webhook.webhook_code}`
  return await runOncePerKey(ctx, { endpoint: { id: 'startByWebhook' }, key, actor, input: null }, startRun)
}

function toFlowRunUrl({ ports }: SystemCtx, webhook: CalledWebhook, flowRun: string): string {
  const { account_code: account, workspace_address: workspace, dataflow_code: dataflow } = webhook
  return `${ports.config.publicUrl}/${account}/${workspace}/dataflow/${dataflow}/editor/logs/${flowRun}`
}
