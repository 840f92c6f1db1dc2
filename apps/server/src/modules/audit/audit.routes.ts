import * as calls from '@trellis/contract/audit/audit.endpoints'
import { handle } from '../../http/handle.ts'
import { findAuditLines } from './audit.repository.ts'

export const auditRoutes = [
  handle(calls.listAudit, ({ query }, ctx) =>
    findAuditLines(ctx, ctx.account.id, {
      beforeSeq: query.before_seq,
      action: query.action,
      outcome: query.outcome,
      search: query.search,
    }),
  ),
]
