import type { AlertKey } from '@trellis/contract/dataflows/dataflows.schemas'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { renewWebhookKey } from '../dataflows.repository.ts'
import { getDataflowRow } from '../dataflows.service.ts'
import { deriveSignatureKey } from './webhook.ts'

export async function renewSignatureKey(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof AlertKey>> {
  const { id, name, trellis_code: dataflowCode } = await getDataflowRow(ctx, code)
  const keyNumber = await renewWebhookKey(ctx, id)
  ctx.http.addAuditDetail({ what: `made a new key for the webhook of “${name}”` })
  return { signature_key: deriveSignatureKey(ctx, { dataflowCode, keyNumber }) }
}
