import { isPlanManaged } from '@trellis/contract/billing/plans'
import type { AuditLine } from '../audit/audit.service.ts'
import type { BillingAccount, PlanState } from './billing.repository.ts'

type Line = Pick<AuditLine, 'action' | 'outcome' | 'detail'>

const toDay = (date: Date | null) => date?.toISOString().slice(0, 10)

export function planTrail(before: BillingAccount, after: PlanState): Line[] {
  const plan = after.account_type
  if (!isPlanManaged(plan)) return []
  const done = (action: string, detail: Record<string, unknown>): Line => ({ action, outcome: 'done', detail })
  const isOver = after.plan_status === 'over'
  const isNew = before.plan_status === 'over' || before.stripe_subscription_id === null
  if (isOver) return isNew ? [] : [done('planEnded', { plan, on: toDay(after.stripe_plan_end_date) })]
  if (isNew) return [done('planChosen', { plan })]
  const lines: Line[] = []
  if (plan !== before.account_type) lines.push(done('planChanged', { from: before.account_type, to: plan }))
  lines.push(...endTrail(before, after), ...paymentTrail(before, after))
  if (after.next_plan !== null && after.next_plan !== before.next_plan) {
    lines.push(done('planChangeScheduled', { to: after.next_plan, on: toDay(after.stripe_plan_renewal_date) }))
  } else if (before.next_plan !== null && after.next_plan === null && plan !== before.next_plan) {
    lines.push(done('planChangeCalledOff', { to: before.next_plan }))
  }
  return lines
}

function endTrail(before: BillingAccount, after: PlanState): Line[] {
  const [was, is] = [before.stripe_plan_end_date, after.stripe_plan_end_date]
  const plan = after.account_type
  if (was === null && is !== null)
    return [{ action: 'planCancelled', outcome: 'done', detail: { plan, ends: toDay(is) } }]
  if (was !== null && is === null) return [{ action: 'planResumed', outcome: 'done', detail: { plan } }]
  return []
}

function paymentTrail(before: BillingAccount, after: PlanState): Line[] {
  const plan = after.account_type
  if (before.plan_status !== 'past_due' && after.plan_status === 'past_due')
    return [{ action: 'paymentFailed', outcome: 'failed', detail: { plan } }]
  if (before.plan_status === 'past_due' && after.plan_status !== 'past_due')
    return [{ action: 'paymentReceived', outcome: 'done', detail: { plan } }]
  const [was, is] = [before.stripe_plan_renewal_date, after.stripe_plan_renewal_date]
  const isSame = before.stripe_subscription_id === after.stripe_subscription_id
  if (isSame && was !== null && is !== null && is > was)
    return [{ action: 'planRenewed', outcome: 'done', detail: { plan, until: toDay(is) } }]
  return []
}
