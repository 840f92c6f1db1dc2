import { type AccountTypeName, isPlanManaged } from '@trellis/contract/billing/plans'
import type Stripe from 'stripe'
import { type SoldPlan, findPlanByPrice } from '../../platform/payments/catalogue.ts'
import type { BillingAccount, PlanState } from './billing.repository.ts'

const LIVE = new Set<string>(['active', 'trialing', 'past_due', 'paused'])
/** The first payment never succeeded. */
const NEVER_WAS = new Set<string>(['incomplete', 'incomplete_expired'])

export const isLive = (subscription: Stripe.Subscription) => LIVE.has(subscription.status)

const getUnitPrice = (subscription: Stripe.Subscription) => subscription.items.data[0]?.price.unit_amount ?? 0

/** The newest active subscription, else the newest ended one; on a tie the larger plan. Deterministic. */
export function currentSubscription(all: readonly Stripe.Subscription[]): Stripe.Subscription | undefined {
  const [newest] = all
    .filter((item) => !NEVER_WAS.has(item.status))
    .toSorted(
      (a, b) =>
        Number(isLive(b)) - Number(isLive(a)) ||
        b.created - a.created ||
        getUnitPrice(b) - getUnitPrice(a) ||
        (a.id < b.id ? 1 : -1),
    )
  return newest
}

const toDate = (seconds: number | null | undefined) => (seconds ? new Date(seconds * 1000) : null)

/** The provider's pages set a date without the flag; its API may set either. */
export function getCancelTime(subscription: Stripe.Subscription): Date | null {
  const periodEnd = subscription.items.data[0]?.current_period_end
  return toDate(subscription.cancel_at ?? (subscription.cancel_at_period_end ? periodEnd : null))
}

export function findPlan(subscription: Stripe.Subscription): SoldPlan | undefined {
  return findPlanByPrice(subscription.items.data[0]?.price)
}

function findNextPlan(subscription: Stripe.Subscription, planByPrice: ReadonlyMap<string, SoldPlan>): SoldPlan | null {
  const { schedule } = subscription
  if (schedule === null || typeof schedule === 'string') return null
  const from = subscription.items.data[0]?.current_period_end ?? 0
  const price = schedule.phases.find((phase) => phase.start_date >= from)?.items[0]?.price
  const id = typeof price === 'string' ? price : price?.id
  const next = id === undefined ? undefined : planByPrice.get(id)
  return next === undefined || next === findPlan(subscription) ? null : next
}

export interface Facts {
  account: BillingAccount
  subscription: Stripe.Subscription
  planByPrice: ReadonlyMap<string, SoldPlan>
  now: Date
}

export function computePlanState({ account, subscription, planByPrice, now }: Facts): PlanState {
  const base = {
    account_type: accountType(account.account_type, findPlan(subscription)),
    stripe_subscription_id: subscription.id,
  }
  const end = getCancelTime(subscription)
  if (!isLive(subscription)) {
    return {
      ...base,
      plan_status: 'over',
      next_plan: null,
      stripe_plan_end_date: endedAt({ account, subscription, now }, end),
      stripe_plan_renewal_date: null,
      stripe_plan_cancelled_at: toDate(subscription.canceled_at) ?? now,
    }
  }
  const isLate = subscription.status === 'past_due'
  return {
    ...base,
    plan_status: isLate ? 'past_due' : end ? 'cancelling' : 'active',
    next_plan: end ? null : findNextPlan(subscription, planByPrice),
    stripe_plan_end_date: end,
    stripe_plan_renewal_date: end ? null : toDate(subscription.items.data[0]?.current_period_end),
    stripe_plan_cancelled_at: end ? (toDate(subscription.canceled_at) ?? now) : null,
  }
}

function accountType(current: AccountTypeName, plan: SoldPlan | undefined): AccountTypeName {
  return plan !== undefined && isPlanManaged(current) ? plan : current
}

/** Test clocks are ahead of ours: what has ended there has ended now, and stays ended. */
function endedAt({ account, subscription, now }: Omit<Facts, 'planByPrice'>, end: Date | null): Date {
  const told = toDate(subscription.ended_at) ?? end ?? now
  if (told <= now) return told
  const isKnown = account.plan_status === 'over' && account.stripe_subscription_id === subscription.id
  return (isKnown ? account.stripe_plan_end_date : null) ?? now
}
