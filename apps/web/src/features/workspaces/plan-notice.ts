import type { Account } from '@trellis/contract/accounts/accounts.schemas'

type Plan = Pick<Account, 'stripe_plan_cancelled_at' | 'stripe_plan_end_date'>

const DAY = 86_400_000

export interface PlanNotice {
  isExpired: boolean
  text: string
}

/** What the list says about a cancelled plan; nothing about one that goes on. */
export function planNotice({ stripe_plan_cancelled_at, stripe_plan_end_date }: Plan, now: Date): PlanNotice | null {
  if (stripe_plan_cancelled_at === null || stripe_plan_end_date === null) return null
  const left = Date.parse(stripe_plan_end_date) - now.getTime()
  if (left <= 0) return { isExpired: true, text: 'Plan expired' }
  const days = Math.ceil(left / DAY)
  return { isExpired: false, text: `${days} ${days === 1 ? 'day' : 'days'} left until plan expires` }
}
