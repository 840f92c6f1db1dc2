import type { Endpoint } from '@trellis/contract/core/endpoint'
import type { AuditLine } from '../modules/audit/audit.service.ts'
import type { AnyCtx } from '../platform/ctx.ts'

export function toAuditLine(endpoint: Endpoint, ctx: AnyCtx, outcome: AuditLine['outcome']): AuditLine {
  return {
    action: endpoint.id,
    outcome,
    profileId: 'actor' in ctx ? ctx.actor.profileId : null,
    accountId: 'account' in ctx ? ctx.account.id : null,
    workspaceId: 'workspace' in ctx ? ctx.workspace.id : null,
    detail: ctx.http.auditDetail,
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  }
}
