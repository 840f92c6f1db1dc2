import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import type { PlanName } from '@trellis/contract/billing/plans'
import { ExternalLink } from 'lucide-react'
import { useLocation } from 'react-router'
import { parsePath } from '../../../app/router-paths.ts'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { canIn } from '../../accounts/accounts.queries.ts'
import { formatDays, daysUntil } from '../amounts.ts'
import { usePlanDetails, usePaymentProvider } from '../billing.queries.ts'
import { findPlan } from '../plans/plan-choice.ts'
import { toPlanOffer } from '../plans/plan-offer.ts'
import { LoadProblem } from './LoadProblem.tsx'
import { PlanActionButton } from './PlanStatusBanner.tsx'
import {
  isCanceled,
  ACCOUNT_MANAGER_TEXT,
  ACCOUNT_MANAGER_TITLE,
  getPlanNotice,
  formatRenewal,
  type Plan,
} from './plan-notice.ts'
import styles from './overview.module.css'

/** Only for accounts that are billed by plan. */
export function CurrentPlanCard({ account }: { account: Account }) {
  const plan = usePlanDetails(account.trellis_code)
  if (plan.isError) return <LoadProblem title="Could not load plan details." query={plan} />
  if (plan.isPending) return <PlanSkeleton />
  const name = findPlan(plan.data.account_type)
  if (name === null || !plan.data.is_plan_managed)
    return <Banner title={ACCOUNT_MANAGER_TITLE}>{ACCOUNT_MANAGER_TEXT}</Banner>
  return <PaidPlan account={account} plan={plan.data} name={name} />
}

function PaidPlan({ account, plan, name }: { account: Account; plan: Plan; name: PlanName }) {
  const { label, price, per, features } = toPlanOffer(name)
  const canWrite = canIn(account, 'billing:write')
  return (
    <Card
      title={isCanceled(plan) ? 'Latest plan' : 'Current plan'}
      actions={canWrite && <PlanActions account={account} plan={plan} />}
    >
      <div className={styles.plan}>
        <div>
          <p className={styles.planName}>
            {label}{' '}
            <Badge tone={isCanceled(plan) ? 'warning' : 'success'}>{isCanceled(plan) ? 'Canceled' : 'Active'}</Badge>
          </p>
          <p className={styles.planPrice}>
            {price} {per}
          </p>
          <PlanDates plan={plan} />
        </div>
        <ul className={styles.features}>
          {features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      </div>
    </Card>
  )
}

function PlanDates({ plan }: { plan: Plan }) {
  const now = new Date()
  if (plan.stripe_plan_end_date !== null) {
    const isOver = Date.parse(plan.stripe_plan_end_date) <= now.getTime()
    const days = formatDays(daysUntil(plan.stripe_plan_end_date, now))
    return (
      <p className={styles.dates}>
        {isOver ? 'Ended on ' : `Ends in ${days}, on `}
        <DateTime value={plan.stripe_plan_end_date} />
      </p>
    )
  }
  const text = formatRenewal(plan, now)
  return text === undefined || plan.stripe_plan_renewal_date === null ? null : (
    <p className={styles.dates}>
      {text}, on <DateTime value={plan.stripe_plan_renewal_date} />
    </p>
  )
}

function PlanActions({ account, plan }: { account: Account; plan: Plan }) {
  const { pathname } = useLocation()
  const provider = usePaymentProvider(account.trellis_code)
  const { action } = getPlanNotice(plan, new Date())
  if (isCanceled(plan)) {
    return <PlanActionButton account={account} action={action === 'reactivate' ? 'reactivate' : 'renew'} />
  }
  return (
    <div className={styles.actions}>
      <Button
        variant="ghost"
        icon={<ExternalLink aria-hidden />}
        isBusy={provider.isOpening}
        onClick={() => provider.open({ kind: 'cancel' })}
      >
        Cancel plan
      </Button>
      <ButtonLink to={planChangePath(account.trellis_code, pathname)}>Change plan</ButtonLink>
    </div>
  )
}

/** Stays inside the AI area. */
function planChangePath(accountCode: string, pathname: string): string {
  const { workspace, rest } = parsePath(pathname)
  return workspace !== undefined && rest[0] === 'ai'
    ? `/${accountCode}/${workspace}/ai/plan-change`
    : `/${accountCode}/plan-change`
}

function PlanSkeleton() {
  return (
    <Card title="Plan">
      <Loading label="Loading plan details" className={styles.plan}>
        <div className={styles.ghosts}>
          <Skeleton width={72} height={20} />
          <Skeleton width={120} />
          <Skeleton width={180} />
        </div>
        <div className={styles.ghosts}>
          <Skeleton width="60%" />
          <Skeleton width="72%" />
          <Skeleton width="66%" />
        </div>
      </Loading>
    </Card>
  )
}
