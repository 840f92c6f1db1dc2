import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { isNobody } from '../../../platform/person-ctx.ts'
import { writeAudit } from '../../audit/audit.service.ts'

/** One audit line an hour, per process. */
const ONCE_MS = 3600_000
const MAX_REMEMBERED = 10_000

const lastNoted = new Map<string, number>()

export async function auditSeenRows(
  ctx: WorkspaceCtx,
  { trellis_code, name }: { trellis_code: string; name: string },
): Promise<void> {
  if (isNobody(ctx)) return
  const now = ctx.clock.now().getTime()
  const key = `${ctx.actor.profileId} ${trellis_code}`
  if (now - (lastNoted.get(key) ?? -Infinity) < ONCE_MS) return
  lastNoted.delete(key)
  lastNoted.set(key, now)
  const oldest = lastNoted.keys().next().value
  if (lastNoted.size > MAX_REMEMBERED && oldest !== undefined) lastNoted.delete(oldest)
  await writeAudit(ctx, {
    action: 'integrationSeen',
    outcome: 'done',
    profileId: ctx.actor.profileId,
    accountId: ctx.account.id,
    workspaceId: ctx.workspace.id,
    detail: { integration: trellis_code, name, what: 'Looked at rows' },
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  })
}
