import type { PlanDetails } from '@trellis/contract/billing/billing.schemas'
import { PLANS, type PlanName } from '@trellis/contract/billing/plans'
import type * as z from 'zod/mini'

type Plan = Pick<z.infer<typeof PlanDetails>, 'account_type' | 'status' | 'next_plan' | 'stripe_plan_end_date'>

const getPlanLabel = (type: string) => (type in PLANS ? PLANS[type as PlanName].label : type)

export function planNews(before: Plan, after: Plan): string | null {
  const label = getPlanLabel(after.account_type)
  if (after.account_type !== before.account_type) return `The account is on the ${label} plan now.`
  if (after.next_plan !== before.next_plan) {
    return after.next_plan === null
      ? `The account stays on the ${label} plan.`
      : `The ${getPlanLabel(after.next_plan)} plan starts when the paid period is over.`
  }
  const [was, is] = [before.stripe_plan_end_date !== null, after.stripe_plan_end_date !== null]
  if (!was && is) return `The ${label} plan was cancelled. Everything works until it ends.`
  if (was && !is) return `The ${label} plan renews again.`
  if (before.status === 'past_due' && after.status === 'active') return 'The payment came through.'
  return null
}
