import { transaction } from '@trellis/control-db/database'
import type { SystemCtx } from '../../platform/ctx.ts'
import { findLine, hasCopy, listAccountIdsByProfile } from './audit.repository.ts'
import { type AuditPosition, writeAudit } from './audit.service.ts'

/** One transaction in a fixed order of accounts, so that a retry finds the copies. */
export async function handleCopySignIn(ctx: SystemCtx, position: AuditPosition): Promise<void> {
  const line = await findLine(ctx, position)
  if (!line?.profile_id) return
  const { profile_id: profileId, action, outcome, ip, request_id: requestId } = line
  await transaction(ctx, async (ctx) => {
    for (const accountId of await listAccountIdsByProfile(ctx, profileId, line.at)) {
      if (await hasCopy(ctx, { accountId, action, requestId, since: line.at })) continue
      const detail = { ...line.detail, at: line.at.toISOString() }
      await writeAudit(ctx, { action, outcome, profileId, accountId, detail, ip, requestId })
    }
  })
}
