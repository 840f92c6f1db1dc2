import type { GuardAccount } from '@trellis/sql-guard/run-guarded'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { writeAudit } from '../../audit/audit.service.ts'

const MAX_SQL = 2000

export async function auditQuery(
  ctx: WorkspaceCtx,
  { sql, account, asker }: { sql: string; account: GuardAccount; asker: 'rules' | 'model' | 'agent' | 'spark' },
): Promise<void> {
  await writeAudit(ctx, {
    action: 'guardedQuery',
    outcome: account.refusal ? 'refused' : 'done',
    profileId: ctx.actor.profileId,
    accountId: ctx.account.id,
    workspaceId: ctx.workspace.id,
    detail: {
      asker,
      sql: sql.slice(0, MAX_SQL),
      tables: account.tables.map(({ schema, name }) => `${schema}.${name}`).join(', '),
      rows: String(account.rows),
      ...(account.refusal && { refusal: account.refusal.message }),
    },
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  })
}
