import type { Invoice } from '@trellis/contract/billing/billing.schemas'
import { isPlanManaged, isPlanOver } from '@trellis/contract/billing/plans'
import { enqueue } from '@trellis/jobs/enqueue'
import type Stripe from 'stripe'
import type { AccountCtx, SystemCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import type { SoldPlan } from '../../platform/payments/catalogue.ts'
import { syncCustomerLater } from './billing.jobs.ts'
import { findTemporary } from './billing.repository.ts'
import { getBillingAccount } from './customer.ts'
import { currentSubscription, isLive, findPlan } from './plan-state.ts'
import { syncCustomer } from './sync-customer.ts'

const DAY_MS = 86_400_000
const toIso = (date: Date | null) => date?.toISOString() ?? null

export interface PaidCheckout {
  plan: SoldPlan
  customerId: string
  subscriptionId: string
  renewsAt: Date | null
}

/** By the provider's data; undefined if not paid. Also queues a sync for events received before the account existed. */
export async function findPaidCheckout(
  ctx: SystemCtx,
  about: { temporaryAccountId: number },
): Promise<PaidCheckout | undefined> {
  const temporary = await findTemporary(ctx, about.temporaryAccountId)
  const customer = temporary?.stripe_customer_id
  if (!customer) return undefined
  const reference = `temporary:${about.temporaryAccountId}`
  const paid = await callProvider(ctx, async (stripe) => {
    const { data: sessions } = await stripe.checkout.sessions.list({ customer, status: 'complete', limit: 100 })
    const isPaid = sessions.some(
      (session) => session.payment_status === 'paid' && session.client_reference_id === reference,
    )
    if (!isPaid) return undefined
    const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
    return currentSubscription(data)
  })
  const plan = paid && isLive(paid) ? findPlan(paid) : undefined
  if (!paid || !plan) return undefined
  await enqueue(ctx, syncCustomerLater, { customer_id: customer })
  const end = paid.items.data[0]?.current_period_end
  return {
    plan,
    customerId: customer,
    subscriptionId: paid.id,
    renewsAt: end === undefined ? null : new Date(end * 1000),
  }
}

export async function listInvoices(ctx: AccountCtx, limit: number): Promise<Invoice[]> {
  const { stripe_customer_id: customer } = await getBillingAccount(ctx)
  if (customer === null) return []
  const { data } = await callProvider(ctx, (stripe) => stripe.invoices.list({ customer, limit }))
  return data.map((invoice) => ({
    id: invoice.id ?? '',
    status: (invoice.status ?? 'draft') as Invoice['status'],
    created: new Date(invoice.created * 1000).toISOString(),
    invoice_amount: invoice.total / 100,
    invoice_url: invoice.hosted_invoice_url ?? null,
  }))
}

export async function getPaymentDetails(ctx: AccountCtx) {
  const account = await getBillingAccount(ctx)
  const is_plan_managed = isPlanManaged(account.account_type)
  const id = account.stripe_customer_id
  if (id === null) return { is_plan_managed, card: null, billing_email: null }
  return await callProvider(ctx, async (stripe) => {
    const customer = await stripe.customers.retrieve(id, { expand: ['invoice_settings.default_payment_method'] })
    if (customer.deleted) return { is_plan_managed, card: null, billing_email: null }
    const { data } = await stripe.subscriptions.list({
      customer: id,
      status: 'all',
      limit: 100,
      expand: ['data.default_payment_method'],
    })
    const method = currentSubscription(data)?.default_payment_method ?? customer.invoice_settings.default_payment_method
    return { is_plan_managed, card: toCard(method), billing_email: customer.email }
  })
}

function toCard(method: string | Stripe.PaymentMethod | null) {
  if (method === null || typeof method === 'string' || !method.card) return null
  const { brand, last4, exp_month, exp_year } = method.card
  return { brand, last4, exp_month, exp_year }
}

function countDaysTo(moment: Date | null, now: Date): number | null {
  return moment === null ? null : Math.max(0, Math.ceil((moment.getTime() - now.getTime()) / DAY_MS))
}

export async function getPlanDetails(ctx: AccountCtx) {
  let account = await getBillingAccount(ctx)
  const now = ctx.clock.now()
  if (isPlanOver(account, now) && account.stripe_customer_id !== null) {
    // Users who have just paid may arrive before the provider's event.
    await syncCustomer(ctx, account.stripe_customer_id).catch(() => undefined)
    account = await getBillingAccount(ctx)
  }
  const is_plan_managed = isPlanManaged(account.account_type)
  const status = isPlanOver(account, now) ? 'over' : account.plan_status
  return {
    account_type: account.account_type,
    is_plan_managed,
    status: is_plan_managed ? status : ('unmanaged' as const),
    stripe_plan_end_date: toIso(account.stripe_plan_end_date),
    stripe_plan_renewal_date: toIso(account.stripe_plan_renewal_date),
    stripe_plan_cancelled_at: toIso(account.stripe_plan_cancelled_at),
    next_plan: account.next_plan,
    days_left: countDaysTo(account.stripe_plan_end_date ?? account.stripe_plan_renewal_date, now),
  }
}

export async function getPlanEnd(ctx: WorkspaceCtx) {
  const account = await getBillingAccount(ctx)
  const end = isPlanManaged(account.account_type) ? account.stripe_plan_end_date : null
  return { stripe_plan_end_date: toIso(end), days_left: countDaysTo(end, ctx.clock.now()) }
}
