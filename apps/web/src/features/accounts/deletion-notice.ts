import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import {
  EXPIRED_DATA_DAYS,
  EXPIRED_NOTICE_DAYS,
  isPlanManaged,
  isPlanOver,
  PLANS,
} from '@trellis/contract/billing/plans'

const DAY = 86_400_000

export interface DeletionPlan extends Pick<
  Account,
  'account_type' | 'stripe_plan_end_date' | 'stripe_plan_renewal_date'
> {
  status?: string | undefined
  next_plan?: 'basic' | 'team' | null | undefined
}

export interface DeletionNotice {
  /** A day that has begun counts. */
  days: number
  before: string
  after: string
  more: readonly string[]
  restore: string
}

const RESTORE = 'As the owner you can restore the account for 7 days.'

export function deletionNotice(plan: DeletionPlan, now: Date): DeletionNotice {
  const end = plan.stripe_plan_end_date
  const days = daysUntil(end ?? plan.stripe_plan_renewal_date, now)
  const gone = 'After that its data is gone.'
  if (!isPlanManaged(plan.account_type)) {
    const after = ' remain until a renewal: your account manager looks after the subscription. Tell them too.'
    return { days: 0, before: '', after, more: [], restore: `${RESTORE} ${gone}` }
  }
  if (isPlanOver(plan, now)) {
    return {
      days: 0,
      before: 'The plan has ended: ',
      after: ' remain, and nothing more is charged.',
      more: [],
      restore: `${RESTORE} ${gone}`,
    }
  }
  const more = openPayments(plan)
  if (end !== null) {
    return {
      days,
      before: 'The subscription stays active for the ',
      after:
        ' that remain and then ends. It was cancelled before, so nothing more is charged. What is paid is not refunded.',
      more,
      restore: `${RESTORE} The plan stays cancelled. After that the data is gone and the subscription ends at once.`,
    }
  }
  return {
    days,
    before: 'The subscription stays active for the ',
    after: ' that remain until its renewal, and is not renewed: nothing more is charged. What is paid is not refunded.',
    more,
    restore: `${RESTORE} The subscription then renews as before. After that the data is gone and the subscription ends at once.`,
  }
}

function openPayments({ status, next_plan: next }: DeletionPlan): string[] {
  return [
    ...(status === 'past_due' ? ['The invoice that could not be paid stays open and may still be charged.'] : []),
    ...(next ? [`The change to ${PLANS[next].label} at the end of the period is called off.`] : []),
  ]
}

function daysUntil(moment: string | null, now: Date): number {
  return moment === null ? 0 : Math.max(0, Math.ceil((Date.parse(moment) - now.getTime()) / DAY))
}

/** Undefined for Enterprise, which ends by agreement. */
export function formatRetention(plan: Pick<Account, 'account_type' | 'stripe_plan_end_date'>, now: Date): string {
  const end = plan.stripe_plan_end_date
  if (end === null || (plan.account_type !== 'basic' && plan.account_type !== 'team')) return ''
  const kept = Date.parse(end) + EXPIRED_DATA_DAYS * DAY
  if (kept > now.getTime())
    return `The data is kept until ${new Date(kept).toISOString().slice(0, 10)}, then the account is deleted.`
  return `The data was kept for ${EXPIRED_DATA_DAYS} days. The account is deleted ${EXPIRED_NOTICE_DAYS} days after the notice by mail.`
}
