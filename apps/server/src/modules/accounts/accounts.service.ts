import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx, ProfileCtx, SystemCtx } from '../../platform/ctx.ts'
import { lockAccount } from '../../platform/lock-account.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { queueProviderUpdate } from '../billing/deleted-account.service.ts'
import { findAccountsByProfile, insertAccount, insertTemporaryAccount, renameAccount } from './accounts.repository.ts'

export async function listOwnAccounts(ctx: ProfileCtx): Promise<Account[]> {
  return await findAccountsByProfile(ctx, ctx.actor.profileId)
}

export async function getOwnAccount(ctx: AccountCtx): Promise<Account> {
  const [account] = await findAccountsByProfile(ctx, ctx.actor.profileId, ctx.account.id)
  if (!account) throw new AppError('not_found')
  return account
}

export async function createTemporaryAccount(ctx: ProfileCtx, body: { name: string }) {
  return await insertTemporaryAccount(ctx, { name: body.name, created_by: ctx.actor.profileId })
}

export async function updateAccount(ctx: AccountCtx, body: { name: string }): Promise<Account> {
  return await transaction(ctx, async (ctx) => {
    const { name } = await lockAccount(ctx)
    if (name !== body.name) {
      await renameAccount(ctx, ctx.account.id, body.name)
      await queueProviderUpdate(ctx, ctx.account.id)
    }
    ctx.http.addAuditDetail({ from: name, to: body.name })
    return await getOwnAccount(ctx)
  })
}

/** Without a checkout or bills; for sign-ins the platform creates itself. */
export async function createInternalAccount(
  ctx: Pick<SystemCtx, 'db'>,
  about: { name: string; owner: number },
): Promise<number> {
  return await insertAccount(ctx, {
    trellis_code: generateTrellisCode(),
    name: about.name,
    account_type: 'internal',
    owner: about.owner,
  })
}
