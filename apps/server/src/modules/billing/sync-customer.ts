import { CREDITS_STEP } from '@trellis/contract/billing/plans'
import { type AnyDb, transaction } from '@trellis/control-db/database'
import type Stripe from 'stripe'
import type { BaseCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { LOOKUP_KEYS, type SoldPlan, openCatalogue } from '../../platform/payments/catalogue.ts'
import { type AuditLine, writeAudit } from '../audit/audit.service.ts'
import { type BillingAccount, findAccountOfCustomer, lockCustomer, writePlanState } from './billing.repository.ts'
import { grantPurchased } from './credits.service.ts'
import { findOpenEvents, markProcessed } from './events.repository.ts'
import { endDuplicates } from './one-subscription.ts'
import { currentSubscription, isLive, computePlanState } from './plan-state.ts'
import { planTrail } from './plan-trail.ts'

export type SyncCtx = BaseCtx & { readonly db: AnyDb }

/** An endless list would hold the lock forever. */
const MAX_SESSIONS = 1000

interface CustomerState {
  subscriptions: Stripe.Subscription[]
  sessions: Stripe.Checkout.Session[]
  planByPrice: Map<string, SoldPlan>
}

async function readCustomerState(stripe: Stripe, customer: string): Promise<CustomerState> {
  const { prices } = await openCatalogue(stripe)
  const { data: subscriptions } = await stripe.subscriptions.list({
    customer,
    status: 'all',
    limit: 100,
    expand: ['data.schedule'],
  })
  const sessions = await stripe.checkout.sessions
    .list({ customer, limit: 100, expand: ['data.line_items'] })
    .autoPagingToArray({ limit: MAX_SESSIONS })
  return {
    subscriptions,
    sessions,
    planByPrice: new Map([
      [prices.basic, 'basic'],
      [prices.team, 'team'],
    ]),
  }
}

/**
 * Copies the provider's state. Events only trigger it, so they may be late, duplicated, reordered or lost. `onlyIfPending`
 * skips the call if a concurrent sync has handled all events.
 */
export async function syncCustomer(ctx: SyncCtx, customerId: string, { onlyIfPending = false } = {}): Promise<boolean> {
  return await transaction(ctx, async (ctx) => {
    await lockCustomer(ctx, customerId)
    // Read before asking the provider: a later event may be newer than the response.
    const events = await findOpenEvents(ctx, customerId)
    if (onlyIfPending && events.length === 0) return true
    const account = await findAccountOfCustomer(ctx, customerId)
    if (account) {
      const truth = await callProvider(ctx, (stripe) => readCustomerState(stripe, customerId))
      await writeCustomerState(ctx, account, truth)
    }
    await markProcessed(ctx, events)
    return account !== undefined
  })
}

async function writeCustomerState(ctx: SyncCtx, account: BillingAccount, truth: CustomerState): Promise<void> {
  const { subscriptions, sessions, planByPrice } = truth
  const subscription = currentSubscription(subscriptions)
  const lines: Pick<AuditLine, 'action' | 'outcome' | 'detail'>[] = []
  if (subscription) {
    const state = computePlanState({ account, subscription, planByPrice, now: ctx.clock.now() })
    lines.push(...planTrail(account, state))
    await writePlanState(ctx, account.id, state)
  }
  for (const session of sessions) {
    const credits = countPaidCredits(session)
    const bought = { checkoutId: session.id, credits, at: new Date(session.created * 1000) }
    if (credits > 0 && (await grantPurchased(ctx, account.id, bought))) {
      const dollars = (session.amount_total ?? 0) / 100
      lines.push({ action: 'creditsBought', outcome: 'done', detail: { credits, dollars } })
    }
  }
  if (subscription && isLive(subscription)) {
    await expireOpenPlans(ctx, sessions)
    await endDuplicates(ctx, account, { kept: subscription, all: subscriptions })
  }
  // Last, since an audit line locks the account's chain, which must not wait for the provider.
  for (const line of lines) await writeAudit(ctx, { ...line, accountId: account.id, requestId: ctx.requestId })
}

/** Delayed payment methods complete first and pay later. */
function countPaidCredits(session: Stripe.Checkout.Session): number {
  if (session.mode !== 'payment' || session.status !== 'complete' || session.payment_status !== 'paid') return 0
  const packs = session.line_items?.data.filter((line) => line.price?.lookup_key === LOOKUP_KEYS.credits) ?? []
  return packs.reduce((sum, line) => sum + (line.quantity ?? 0) * CREDITS_STEP, 0)
}

/** A checkout of another plan in a second tab must not be paid too. */
async function expireOpenPlans(ctx: SyncCtx, sessions: readonly Stripe.Checkout.Session[]): Promise<void> {
  const open = sessions.filter((session) => session.mode === 'subscription' && session.status === 'open')
  for (const session of open) {
    await callProvider(ctx, (stripe) => stripe.checkout.sessions.expire(session.id)).catch(() => undefined)
  }
}
