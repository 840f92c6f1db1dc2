import type * as schemas from '@trellis/contract/runs/inbound-webhooks.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { generateTrellisCode } from '../../../platform/trellis-code.ts'
import { getDataflowRow } from '../../dataflows/dataflows.service.ts'
import * as repository from './inbound-webhooks.repository.ts'
import type { WebhookRow } from './inbound-webhooks.repository.ts'
import { hashSecret, createSecret } from './webhook-secret.ts'

export const WEBHOOKS_PATH = '/hooks'

const webhookNotFoundError = () => new AppError('not_found', 'This dataflow has no webhook URL. Create one first.')

export async function getInboundWebhook(
  ctx: WorkspaceCtx,
  dataflowCode: string,
): Promise<{ webhook: schemas.InboundWebhook | null }> {
  const { id } = await getDataflowRow(ctx, dataflowCode)
  const row = await repository.findWebhook(ctx, id)
  return { webhook: row ? toWebhook(ctx, row) : null }
}

export async function createInboundWebhook(
  ctx: WorkspaceCtx,
  dataflowCode: string,
): Promise<schemas.NewInboundWebhook> {
  const { id, name } = await getDataflowRow(ctx, dataflowCode)
  const secret = createSecret()
  const newWebhook = {
    dataflowId: id,
    code: generateTrellisCode(),
    secretHash: hashSecret(secret),
    profileId: ctx.actor.profileId,
  }
  if (!(await repository.insertWebhook(ctx, newWebhook))) {
    throw new AppError(
      'conflict',
      'This dataflow has a webhook URL already. Rotate its secret to see a whole address again.',
    )
  }
  ctx.http.addAuditDetail({ what: `made a webhook URL for “${name}”` })
  return await readWithSecret(ctx, id, secret)
}

export async function rotateInboundWebhook(
  ctx: WorkspaceCtx,
  dataflowCode: string,
): Promise<schemas.NewInboundWebhook> {
  const { id, name } = await getDataflowRow(ctx, dataflowCode)
  const secret = createSecret()
  if (!(await repository.replaceSecret(ctx, id, hashSecret(secret)))) throw webhookNotFoundError()
  ctx.http.addAuditDetail({ what: `replaced the secret in the webhook URL of “${name}”` })
  return await readWithSecret(ctx, id, secret)
}

export async function deleteInboundWebhook(ctx: WorkspaceCtx, dataflowCode: string): Promise<{ done: true }> {
  const { id, name } = await getDataflowRow(ctx, dataflowCode)
  if (!(await repository.deleteWebhook(ctx, id))) throw webhookNotFoundError()
  ctx.http.addAuditDetail({ what: `removed the webhook URL of “${name}”` })
  return { done: true }
}

async function readWithSecret(
  ctx: WorkspaceCtx,
  dataflowId: number,
  secret: string,
): Promise<schemas.NewInboundWebhook> {
  const row = await repository.findWebhook(ctx, dataflowId)
  // Deleted concurrently.
  if (!row) throw webhookNotFoundError()
  const webhook = toWebhook(ctx, row)
  return { ...webhook, url: `${webhook.url_prefix}${secret}` }
}

const toWebhook = (ctx: WorkspaceCtx, row: WebhookRow): schemas.InboundWebhook => ({
  webhook_trellis_code: row.code,
  url_prefix: `${ctx.ports.config.publicUrl}${WEBHOOKS_PATH}/${row.code}/`,
  created_at: row.created_at.toISOString(),
  who: row.who,
  rotated_at: row.rotated_at?.toISOString() ?? null,
  last_call:
    row.called_at && row.flow_run_code !== null
      ? { at: row.called_at.toISOString(), flow_run_trellis_code: row.flow_run_code }
      : null,
})
