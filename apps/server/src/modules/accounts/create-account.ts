import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { transaction } from '@trellis/control-db/database'
import { AppError } from '../../platform/app-error.ts'
import type { ProfileCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { findPaidCheckout } from '../billing/billing.service.ts'
import {
  findAccountsByProfile,
  findTemporaryAccount,
  insertAccount,
  linkTemporaryAccount,
} from './accounts.repository.ts'

/** The URL can be typed by hand, so only the payment provider's answer counts. */
export async function createAccount(
  ctx: ProfileCtx,
  body: { temporary_account_id: number; account_type: 'basic' | 'team' },
): Promise<Account> {
  return await transaction(ctx, async (ctx) => {
    const temporary = await findTemporaryAccount(ctx, { id: body.temporary_account_id, createdBy: ctx.actor.profileId })
    if (!temporary) throw new AppError('not_found', 'There is no such account waiting for a plan.')
    const accountId = temporary.account_id ?? (await createPaidAccount(ctx, temporary))
    const [account] = await findAccountsByProfile(ctx, ctx.actor.profileId, accountId)
    if (!account) throw new AppError('not_found', 'This account no longer exists.')
    return account
  })
}

async function createPaidAccount(ctx: ProfileCtx, temporary: { id: number; name: string }): Promise<number> {
  const paid = await findPaidCheckout(ctx, { temporaryAccountId: temporary.id })
  if (!paid) {
    throw new AppError(
      'plan_not_paid',
      'The payment provider has no paid plan for this account yet. If you have just paid, try again in a moment.',
    )
  }
  const id = await insertAccount(ctx, {
    trellis_code: generateTrellisCode(),
    name: temporary.name,
    account_type: paid.plan,
    stripe_customer_id: paid.customerId,
    stripe_subscription_id: paid.subscriptionId,
    stripe_plan_renewal_date: paid.renewsAt,
    owner: ctx.actor.profileId,
  })
  await linkTemporaryAccount(ctx, temporary.id, id)
  const line = {
    outcome: 'done',
    accountId: id,
    profileId: ctx.actor.profileId,
    ip: ctx.http.ip,
    requestId: ctx.requestId,
  } as const
  await writeAudit(ctx, { ...line, action: 'accountCreated', detail: { name: temporary.name } })
  await writeAudit(ctx, { ...line, action: 'planChosen', detail: { plan: paid.plan } })
  return id
}
