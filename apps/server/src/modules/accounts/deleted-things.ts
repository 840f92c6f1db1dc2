import { getPlanLimits } from '@trellis/contract/billing/plans'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx, ProfileCtx } from '../../platform/ctx.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { queueProviderUpdate } from '../billing/deleted-account.service.ts'
import { GRACE_DAYS, countWorkspaces } from '../workspaces/workspaces.service.ts'
import { lockAccount, lockAccountById } from '../../platform/lock-account.ts'
import { markAccountDeleted } from './accounts.repository.ts'
import { findDeleted, restoreRow } from './deleted.repository.ts'

/** Access, schedules and renewal end at once; data is removed after the grace period. */
export async function deleteAccount(ctx: AccountCtx): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const { name } = await lockAccount(ctx)
    await markAccountDeleted(ctx, ctx.account.id, ctx.actor.profileId)
    await queueProviderUpdate(ctx, ctx.account.id)
    ctx.http.addAuditDetail({ name })
    return { done: true }
  })
}

const notRestorableError = () => new AppError('not_found', 'This can not be restored any more.')

export async function listDeleted(ctx: ProfileCtx) {
  const rows = await findDeleted(ctx, { profileId: ctx.actor.profileId, graceDays: GRACE_DAYS })
  return rows.map(({ id: _id, account_id: _account, ...row }) => ({
    ...row,
    deleted_at: row.deleted_at.toISOString(),
    gone_at: new Date(row.deleted_at.getTime() + GRACE_DAYS * 86_400_000).toISOString(),
  }))
}

export async function restoreDeleted(
  ctx: ProfileCtx,
  which: { kind: 'account' | 'workspace'; trellis_code: string },
): Promise<{ done: true }> {
  return await transaction(ctx, async (ctx) => {
    const rows = await findDeleted(ctx, { profileId: ctx.actor.profileId, graceDays: GRACE_DAYS })
    const row = rows.find(
      (deletedRow) => deletedRow.kind === which.kind && deletedRow.trellis_code === which.trellis_code,
    )
    if (!row) throw notRestorableError()
    if (row.kind === 'workspace') {
      const account = await lockAccountById(ctx, row.account_id)
      const limit = getPlanLimits(account.account_type).workspaces
      if (limit !== null && (await countWorkspaces(ctx, row.account_id)) >= limit) {
        throw new AppError(
          'limit_reached',
          'Workspace limit reached. Please upgrade your plan to create additional workspaces.',
        )
      }
    }
    if (!(await restoreRow(ctx, row))) throw notRestorableError()
    if (row.kind === 'account') await queueProviderUpdate(ctx, row.id)
    await writeAudit(ctx, {
      action: row.kind === 'account' ? 'accountRestored' : 'workspaceRestored',
      outcome: 'done',
      accountId: row.account_id,
      profileId: ctx.actor.profileId,
      detail: { name: row.name },
      ip: ctx.http.ip,
      requestId: ctx.requestId,
    })
    return { done: true }
  })
}
