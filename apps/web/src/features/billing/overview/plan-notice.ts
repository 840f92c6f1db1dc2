import type { PlanDetails } from '@trellis/contract/billing/billing.schemas'
import { PLANS } from '@trellis/contract/billing/plans'
import type * as z from 'zod/mini'
import type { BannerTone } from '../../../ui/feedback/Banner.tsx'
import { formatDays, daysUntil } from '../amounts.ts'
import { findPlan } from '../plans/plan-choice.ts'

export type Plan = z.infer<typeof PlanDetails>

/** `reactivate`: buy again; `renew`: revoke a cancellation; `pay`: fix the payment method. */
export type PlanAction = 'renew' | 'reactivate' | 'pay'

export interface PlanNotice {
  tone: BannerTone
  title: string
  text: string
  action: PlanAction | null
}

const getPlanLabel = (plan: Plan) => {
  const name = findPlan(plan.account_type)
  return name === null ? plan.account_type : PLANS[name].label
}

export function getPlanNotice(plan: Plan, now: Date): PlanNotice {
  const label = getPlanLabel(plan)
  const end = plan.stripe_plan_end_date
  if (plan.status === 'unmanaged' || !plan.is_plan_managed) {
    return { tone: 'info', title: ACCOUNT_MANAGER_TITLE, text: ACCOUNT_MANAGER_TEXT, action: null }
  }
  if (plan.status === 'over' || (end !== null && Date.parse(end) <= now.getTime())) {
    return {
      tone: 'danger',
      title: 'Plan expired',
      text: `The ${label} plan has ended. Renew it to get back into your workspaces.`,
      action: 'reactivate',
    }
  }
  if (end !== null) {
    const days = formatDays(daysUntil(end, now))
    return {
      tone: 'warning',
      title: `${days} left until plan expires`,
      text: `The ${label} plan was cancelled. Everything works until then.`,
      action: 'renew',
    }
  }
  if (plan.status === 'past_due') {
    return {
      tone: 'danger',
      title: 'The last payment failed',
      text: 'Everything still works while the payment is tried again. Check the card to keep the plan.',
      action: 'pay',
    }
  }
  return {
    tone: 'success',
    title: `The ${label} plan is active`,
    text: toSentence(formatRenewal(plan, now)),
    action: null,
  }
}

export const ACCOUNT_MANAGER_TITLE = 'Your subscription is managed by your account manager'
export const ACCOUNT_MANAGER_TEXT =
  'The plan needs no payment or renewal here. Ask your account manager about plan and limits.'

export function formatRenewal(plan: Plan, now: Date): string | undefined {
  if (plan.stripe_plan_renewal_date === null) return undefined
  const days = formatDays(daysUntil(plan.stripe_plan_renewal_date, now))
  return plan.next_plan === null ? `Renews in ${days}` : `Changes to ${PLANS[plan.next_plan].label} in ${days}`
}

const toSentence = (text: string | undefined) => (text === undefined ? '' : `${text}.`)

/** An end date means cancelled, even when it lies ahead. */
export function isCanceled(plan: Pick<Plan, 'stripe_plan_end_date'>): boolean {
  return plan.stripe_plan_end_date !== null
}
