import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { isPlanOver } from '@trellis/contract/billing/plans'

type Plan = Pick<Account, 'account_type' | 'stripe_plan_cancelled_at' | 'stripe_plan_end_date'>

const DAY = 86_400_000

export interface PlanNotice {
  isExpired: boolean
  text: string
}

export function formatTimeLeft(leftMs: number): string {
  const days = Math.ceil(leftMs / DAY)
  return `${days} ${days === 1 ? 'day' : 'days'} left until plan expires`
}

export function planNotice(plan: Plan, now: Date): PlanNotice | null {
  if (isPlanOver(plan, now)) return { isExpired: true, text: 'Plan expired' }
  if (plan.stripe_plan_cancelled_at === null || plan.stripe_plan_end_date === null) return null
  const left = Date.parse(plan.stripe_plan_end_date) - now.getTime()
  return left > 0 ? { isExpired: false, text: formatTimeLeft(left) } : null
}
