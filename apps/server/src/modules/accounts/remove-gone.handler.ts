import { transaction } from '@trellis/control-db/database'
import type { SystemCtx } from '../../platform/ctx.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { endPlansNow } from '../billing/deleted-account.service.ts'
import { removeAllWorkspaces } from '../workspaces/removal.service.ts'
import { GRACE_DAYS } from '../workspaces/workspaces.service.ts'
import { type GoneAccount, deleteAccountRow, listGoneAccounts, startAccountRemoval } from './deleted.repository.ts'

/** A failure, e.g. of the payment provider, must not block other accounts; it is retried. */
export async function handleRemoveGoneAccounts(ctx: SystemCtx): Promise<void> {
  for (const id of await listGoneAccounts(ctx, GRACE_DAYS)) {
    await removeAccount(ctx, id).catch((error: unknown) => {
      ctx.log.error({ err: error, account: id }, 'A deleted account could not be removed; it is tried again.')
    })
  }
}

/** The row goes last, so that an interrupted removal is found again. */
async function removeAccount(ctx: SystemCtx, id: number): Promise<void> {
  const account = await startAccountRemoval(ctx, id, GRACE_DAYS)
  if (!account) return
  await removeAllWorkspaces(ctx, id)
  await ctx.ports.secrets.shredScope(ctx, `account:${id}`)
  await transaction(ctx, async (ctx) => {
    if (account.stripe_customer_id !== null) await endPlansNow(ctx, account.stripe_customer_id)
    if (await deleteAccountRow(ctx, id)) await writeRemoved(ctx, account)
  })
}

/** Nobody can read the account's audit chain any more, so the system's chain records the removal too. */
async function writeRemoved(ctx: SystemCtx, account: GoneAccount): Promise<void> {
  const line = {
    action: 'accountRemoved',
    outcome: 'done',
    detail: { name: account.name, account: account.trellis_code, deleted_at: account.deleted_at.toISOString() },
    requestId: ctx.requestId,
  } as const
  await writeAudit(ctx, { ...line, accountId: account.id })
  await writeAudit(ctx, line)
}
