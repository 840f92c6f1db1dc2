import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { canIn } from '../../accounts/accounts.queries.ts'
import { usePlanDetails, usePaymentProvider } from '../billing.queries.ts'
import { LoadProblem } from './LoadProblem.tsx'
import { getPlanNotice, type PlanAction } from './plan-notice.ts'
import styles from './overview.module.css'

export function PlanStatusBanner({ account }: { account: Account }) {
  const plan = usePlanDetails(account.trellis_code)
  if (plan.isError) return <LoadProblem title="Could not load plan status." query={plan} />
  if (plan.isPending) {
    return (
      <Loading label="Loading plan status" className={styles.bannerGhost}>
        <Skeleton width={180} />
        <Skeleton width={260} />
      </Loading>
    )
  }
  // Shown by the plan's card already.
  if (!plan.data.is_plan_managed) return null
  const { tone, title, text, action } = getPlanNotice(plan.data, new Date())
  return (
    <Banner
      tone={tone}
      title={title}
      action={
        action && canIn(account, 'billing:write') && <PlanActionButton account={account} action={action} isMain />
      }
    >
      {text}
    </Banner>
  )
}

/** A cancellation is revoked at the provider; an ended plan is bought again. */
export function PlanActionButton({
  account,
  action,
  isMain = false,
}: {
  account: Account
  action: PlanAction
  isMain?: boolean
}) {
  const variant = isMain ? 'primary' : 'secondary'
  const provider = usePaymentProvider(account.trellis_code)
  if (action === 'reactivate') {
    const { trellis_code, name } = account
    return (
      <ButtonLink variant={variant} to="/plan-select" state={{ account: { trellis_code, name } }}>
        Renew plan
      </ButtonLink>
    )
  }
  return (
    <Button
      variant={variant}
      isBusy={provider.isOpening}
      onClick={() => provider.open({ kind: action === 'pay' ? 'payment' : 'renew' })}
    >
      {action === 'pay' ? 'Update payment details' : 'Renew plan'}
    </Button>
  )
}
