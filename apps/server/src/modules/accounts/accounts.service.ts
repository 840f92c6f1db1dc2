import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { AccountCtx, ProfileCtx } from '../../platform/ctx.ts'
import { findAccountsOf } from './accounts.repository.ts'

export async function listOwnAccounts(ctx: ProfileCtx): Promise<Account[]> {
  return await findAccountsOf(ctx, ctx.actor.profileId)
}

export async function getOwnAccount(ctx: AccountCtx): Promise<Account> {
  const [account] = await findAccountsOf(ctx, ctx.actor.profileId, ctx.account.id)
  if (!account) throw new AppError('not_found')
  return account
}
