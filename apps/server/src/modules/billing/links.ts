import { findPlanExcess } from '@trellis/contract/billing/plans'
import type { AccountCtx, ProfileCtx } from '../../platform/ctx.ts'
import { AppError } from '../../platform/app-error.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { type SoldPlan, openCatalogue } from '../../platform/payments/catalogue.ts'
import { readPlanUsage } from '../utilization/utilization.service.ts'
import {
  type BillingAccount,
  findTemporary,
  saveCustomerIdOnce,
  saveTemporaryCustomerIdOnce,
} from './billing.repository.ts'
import { openCreditsCheckout, openPlanCheckout, openPortal } from './checkout.ts'
import { findLiveSubscription, getBillingAccount } from './customer.ts'
import { describeExcess } from './excess-sentence.ts'
import { returnAddress } from './return-address.ts'

interface PlanLinks {
  plans: { basic: string | null; team: string | null; enterprise: string }
}

const getEnterpriseLink = (ctx: AccountCtx | ProfileCtx) =>
  ctx.ports.config.links.booking ??
  `mailto:${ctx.ports.config.supportEmail}?subject=${encodeURIComponent('Trellis Enterprise')}`

async function buildPlanLinks(
  ctx: AccountCtx | ProfileCtx,
  make: (plan: SoldPlan) => Promise<string | null>,
): Promise<PlanLinks> {
  return { plans: { basic: await make('basic'), team: await make('team'), enterprise: getEnterpriseLink(ctx) } }
}

export async function getNewAccountPlans(ctx: ProfileCtx, temporaryId: number): Promise<PlanLinks> {
  const temporary = await findTemporary(ctx, temporaryId)
  if (!temporary || temporary.created_by !== ctx.actor.profileId || temporary.account_id !== null) {
    throw new AppError('not_found', 'There is no such account waiting for a plan.')
  }
  const customer = temporary.stripe_customer_id ?? (await createTemporaryCustomer(ctx, temporary))
  const back = (plan: SoldPlan, status: 'success' | 'canceled') =>
    `${ctx.ports.config.publicUrl}/plan-activation/${temporaryId}?status=${status}&account_type=${plan}`
  const live = await findLiveSubscription(ctx, customer)
  return await buildPlanLinks(ctx, async (plan) => {
    // Paid but not activated: continue with the activation instead of a second payment.
    if (live) return back(plan, 'success')
    return await openPlanCheckout(ctx, {
      customer,
      plan,
      reference: `temporary:${temporaryId}`,
      successUrl: back(plan, 'success'),
      cancelUrl: back(plan, 'canceled'),
    })
  })
}

async function createTemporaryCustomer(ctx: ProfileCtx, temporary: { id: number; name: string }): Promise<string> {
  const made = await callProvider(ctx, (stripe) =>
    stripe.customers.create({
      email: ctx.actor.email,
      name: temporary.name,
      metadata: { temporary_account_id: String(temporary.id) },
    }),
  )
  return await saveTemporaryCustomerIdOnce(ctx, temporary.id, made.id)
}

async function ensureCustomerId(ctx: AccountCtx, account: BillingAccount): Promise<string> {
  if (account.stripe_customer_id !== null) return account.stripe_customer_id
  const made = await callProvider(ctx, (stripe) =>
    stripe.customers.create({
      email: ctx.actor.email,
      name: account.name,
      metadata: { account: account.trellis_code },
    }),
  )
  return await saveCustomerIdOnce(ctx, account.id, made.id)
}

const toSettingsPath = (account: BillingAccount) => `/${account.trellis_code}/settings?tab=plan-utilization`

async function openAccountCheckout(ctx: AccountCtx, account: BillingAccount, plan: SoldPlan): Promise<string> {
  // The account's pages are closed until the payment is confirmed.
  const back = (status: 'success' | 'canceled') =>
    `${ctx.ports.config.publicUrl}/plan-activation/${account.trellis_code}?status=${status}&account_type=${plan}`
  return await openPlanCheckout(ctx, {
    customer: await ensureCustomerId(ctx, account),
    plan,
    reference: `account:${account.id}`,
    successUrl: back('success'),
    cancelUrl: back('canceled'),
  })
}

export async function getRenewalPlans(ctx: AccountCtx): Promise<PlanLinks> {
  const account = await getBillingAccount(ctx)
  const live = await findLiveSubscription(ctx, account.stripe_customer_id)
  const usage = await readPlanUsage(ctx, account.id)
  const returnUrl = `${ctx.ports.config.publicUrl}${toSettingsPath(account)}`
  return await buildPlanLinks(ctx, async (plan) => {
    if (findPlanExcess(plan, usage).length > 0) return null
    return live
      ? await openPortal(ctx, { customer: await ensureCustomerId(ctx, account), returnUrl })
      : await openAccountCheckout(ctx, account, plan)
  })
}

async function assertFits(ctx: AccountCtx, account: BillingAccount, plan: SoldPlan): Promise<void> {
  const excess = findPlanExcess(plan, await readPlanUsage(ctx, account.id))
  if (excess.length > 0) throw new AppError('plan_too_small', describeExcess(excess), { source: { parameter: 'plan' } })
}

export interface PortalLinkQuery {
  return_url?: string | undefined
}

async function preparePortal(ctx: AccountCtx, wantedPortalLinkQuery: PortalLinkQuery) {
  const account = await getBillingAccount(ctx)
  const returnUrl = returnAddress(ctx.ports.config.publicUrl, wantedPortalLinkQuery.return_url, toSettingsPath(account))
  return { account, returnUrl, customer: await ensureCustomerId(ctx, account) }
}

export async function getPaymentUpdateLink(
  ctx: AccountCtx,
  wantedPortalLinkQuery: PortalLinkQuery,
): Promise<{ url: string }> {
  const { customer, returnUrl } = await preparePortal(ctx, wantedPortalLinkQuery)
  return { url: await openPortal(ctx, { customer, returnUrl, flow: { type: 'payment_method_update' } }) }
}

/** A live subscription opens the cancellation page of the portal: everything else the portal does has a link of its own. */
export async function getPortalLink(ctx: AccountCtx, wantedPortalLinkQuery: PortalLinkQuery): Promise<{ url: string }> {
  const { customer, returnUrl, account } = await preparePortal(ctx, wantedPortalLinkQuery)
  const live = await findLiveSubscription(ctx, account.stripe_customer_id)
  const isCancelled = live === undefined || live.cancel_at !== null || live.cancel_at_period_end
  if (isCancelled) return { url: await openPortal(ctx, { customer, returnUrl }) }
  const flow = { type: 'subscription_cancel', subscription_cancel: { subscription: live.id } } as const
  return { url: await openPortal(ctx, { customer, returnUrl, flow }) }
}

/** A cancellation is undone on the overview; an expired plan is bought again. */
export async function getRenewalLink(
  ctx: AccountCtx,
  wantedPortalLinkQuery: PortalLinkQuery,
): Promise<{ url: string }> {
  const { customer, returnUrl, account } = await preparePortal(ctx, wantedPortalLinkQuery)
  const live = await findLiveSubscription(ctx, account.stripe_customer_id)
  if (live) return { url: await openPortal(ctx, { customer, returnUrl }) }
  const plan = account.account_type === 'team' ? 'team' : 'basic'
  await assertFits(ctx, account, plan)
  return { url: await openAccountCheckout(ctx, account, plan) }
}

export async function getPlanChangeLink(
  ctx: AccountCtx,
  wanted: PortalLinkQuery & { plan: SoldPlan },
): Promise<{ url: string }> {
  const account = await getBillingAccount(ctx)
  await assertFits(ctx, account, wanted.plan)
  const live = await findLiveSubscription(ctx, account.stripe_customer_id)
  if (!live) return { url: await openAccountCheckout(ctx, account, wanted.plan) }
  const { customer, returnUrl } = await preparePortal(ctx, wanted)
  const item = live.items.data[0]
  const { prices } = await callProvider(ctx, (stripe) => openCatalogue(stripe))
  const price = prices[wanted.plan]
  if (!item || item.price.id === price) return { url: await openPortal(ctx, { customer, returnUrl }) }
  const flow = {
    type: 'subscription_update_confirm',
    subscription_update_confirm: { subscription: live.id, items: [{ id: item.id, price, quantity: 1 }] },
  } as const
  return {
    url: await openPortal(ctx, {
      customer,
      returnUrl,
      flow: {
        ...flow,
        subscription_update_confirm: {
          ...flow.subscription_update_confirm,
          items: [...flow.subscription_update_confirm.items],
        },
      },
    }),
  }
}

export async function getCreditsLink(
  ctx: AccountCtx,
  wanted: { quantity: number; redirect_url: string },
): Promise<string> {
  const account = await getBillingAccount(ctx)
  const returnUrl = returnAddress(ctx.ports.config.publicUrl, wanted.redirect_url, toSettingsPath(account))
  const customer = await ensureCustomerId(ctx, account)
  return await openCreditsCheckout(ctx, {
    customer,
    reference: `account:${account.id}`,
    packs: wanted.quantity,
    returnUrl,
  })
}
