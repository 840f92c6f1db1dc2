import type { PlanName } from '@trellis/contract/billing/plans'
import { useState } from 'react'
import { findPageSetting } from '../../../app/page-setting.ts'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { ErrorPanel } from '../../../ui/feedback/ErrorPanel.tsx'
import { Badge } from '../../../ui/feedback/Status.tsx'
import { PageHeader } from '../../../ui/layout/Page.tsx'
import { canIn, useCurrentAccount } from '../../accounts/accounts.queries.ts'
import { usePlanDetails, usePaymentProvider, useUsage } from '../billing.queries.ts'
import { ACCOUNT_MANAGER_TEXT, ACCOUNT_MANAGER_TITLE } from '../overview/plan-notice.ts'
import { DowngradeDialog } from './DowngradeDialog.tsx'
import { EnterpriseAction } from './EnterpriseAction.tsx'
import { toPlanChoice, findPlan, type PlanChoice } from './plan-choice.ts'
import { toPlanOffer, PLAN_NAMES } from './plan-offer.ts'
import { PlanCard, PlanPage, PlanPlaceholders, PlanRow } from './PlanCard.tsx'
import styles from './plans.module.css'

type PaidPlan = Exclude<PlanName, 'enterprise'>

export function Component() {
  const account = useCurrentAccount()
  const plan = usePlanDetails(account.trellis_code)
  const usage = useUsage(account.trellis_code)
  const failedQuery = plan.isError ? plan : usage.isError ? usage : null
  return (
    <PlanPage>
      <PageHeader title="Change plan" subtitle={`For account ${account.name}.`} />
      {failedQuery ? (
        <ErrorPanel
          title="Could not load plan details."
          detail={failedQuery.error?.message}
          reference={failedQuery.error?.requestId}
          isRetrying={plan.isFetching || usage.isFetching}
          onRetry={() => {
            void plan.refetch()
            void usage.refetch()
          }}
        />
      ) : plan.data && usage.data ? (
        plan.data.is_plan_managed ? (
          <Offers
            accountCode={account.trellis_code}
            current={findPlan(plan.data.account_type)}
            next={plan.data.next_plan}
            usage={usage.data}
            isAllowed={canIn(account, 'billing:write')}
          />
        ) : (
          <Banner title={ACCOUNT_MANAGER_TITLE}>{ACCOUNT_MANAGER_TEXT}</Banner>
        )
      ) : (
        <PlanPlaceholders />
      )}
    </PlanPage>
  )
}

function Offers({
  accountCode,
  isAllowed,
  ...planState
}: Parameters<typeof toPlanChoice>[1] & { accountCode: string; isAllowed: boolean }) {
  const [requestedPaidPlan, setRequestedPaidPlan] = useState<PaidPlan | null>(null)
  const paymentProvider = usePaymentProvider(accountCode)
  const { current } = planState
  const redirectToCheckout = (plan: PaidPlan) => {
    paymentProvider.open({ kind: 'change', plan })
    setRequestedPaidPlan(null)
  }
  return (
    <>
      <PlanRow>
        {PLAN_NAMES.map((plan) => {
          const choice = toPlanChoice(plan, planState)
          return (
            <PlanCard
              key={plan}
              offer={toPlanOffer(plan)}
              exceededLimits={choice.exceededLimits}
              badge={choice.isNext && <Badge tone="info">Next</Badge>}
              action={
                plan === 'enterprise' && !choice.isCurrent ? (
                  <EnterpriseAction href={scheduleCallLink()} isDisabled={!isAllowed} />
                ) : (
                  <Button
                    isWide
                    variant={plan === 'team' ? 'primary' : 'secondary'}
                    disabled={!choice.canChoose || !isAllowed || paymentProvider.isOpening}
                    aria-label={choice.isCurrent ? undefined : `${getChoiceLabel(choice)} ${toPlanOffer(plan).label}`}
                    onClick={() =>
                      choice.needsConfirmation
                        ? setRequestedPaidPlan(plan as PaidPlan)
                        : redirectToCheckout(plan as PaidPlan)
                    }
                  >
                    {getChoiceLabel(choice)}
                  </Button>
                )
              }
            />
          )
        })}
      </PlanRow>
      <p className={styles.note}>
        {isAllowed
          ? 'Upgrades take effect immediately. Downgrades take effect at the end of the billing period.'
          : 'Only an owner or admin of the account can change the plan.'}
      </p>
      {requestedPaidPlan && current && (
        <DowngradeDialog
          from={current}
          to={requestedPaidPlan}
          isBusy={paymentProvider.isOpening}
          onContinue={() => redirectToCheckout(requestedPaidPlan)}
          onClose={() => setRequestedPaidPlan(null)}
        />
      )}
    </>
  )
}

function getChoiceLabel({ isCurrent, isNext }: PlanChoice): string {
  return isCurrent ? 'Current plan' : isNext ? 'Starts next period' : 'Select plan'
}

function scheduleCallLink(): string | undefined {
  const support = findPageSetting('support')
  return findPageSetting('booking-url') ?? (support && `mailto:${support}?subject=Enterprise%20plan`)
}
