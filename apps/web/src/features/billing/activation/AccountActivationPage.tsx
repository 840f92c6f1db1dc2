import { PLANS } from '@trellis/contract/billing/plans'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { useCurrentWorkspace } from '../../accounts/accounts.queries.ts'
import { useAwaitedPlan } from '../billing.queries.ts'
import { planOf } from '../plans/plan-choice.ts'
import { isCanceledStatus, MOST_REPEATS } from './activation.ts'
import { Activated, Activating, ActivationFailed } from './ActivationResult.tsx'

/** The same result for an account that exists: waits until the provider has told of the paid plan. */
export function Component() {
  const { account, workspace } = useCurrentWorkspace()
  const [query] = useSearchParams()
  const isCanceled = isCanceledStatus(query)
  const { data: plan, error, looks, refetch } = useAwaitedPlan(account.trellis_code, !isCanceled)
  const base = `/${account.trellis_code}/${workspace.workspace_address}/ai`

  if (isCanceled) {
    return (
      <ActivationFailed
        text="You left the checkout before the plan was paid. Nothing was charged."
        action={
          <ButtonLink variant="primary" to={`${base}/plan-change`}>
            Back to plan selection
          </ButtonLink>
        }
      />
    )
  }
  if (plan && plan.status !== 'over') {
    const name = planOf(plan.account_type)
    return (
      <Activated
        text={`${account.name} is on the ${name ? PLANS[name].label : 'managed'} plan.`}
        action={
          <ButtonLink variant="primary" to={`${base}/billing`}>
            View billing
          </ButtonLink>
        }
      />
    )
  }
  if (error || looks > MOST_REPEATS) {
    return (
      <ActivationFailed
        text={error?.message ?? 'The payment provider has not confirmed a paid plan for this account yet.'}
        reference={error?.requestId}
        action={
          <Button variant="primary" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    )
  }
  return <Activating isWaiting={looks > 1} />
}
