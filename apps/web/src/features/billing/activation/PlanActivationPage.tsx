import { PLANS } from '@trellis/contract/billing/plans'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { useCreatedAccount } from '../billing.queries.ts'
import { recallChoice } from '../plans/plan-memory.ts'
import { readActivation } from './activation.ts'
import { Activated, Activating, ActivationFailed } from './ActivationResult.tsx'

const CANCELED = 'You left the checkout before the plan was paid. Nothing was charged.'
const WRONG = 'This address does not belong to a plan that was paid.'

/** Where the payment provider sends a person back to: makes the account, once. */
export function Component() {
  const { tmp_account_id } = useParams()
  const [query] = useSearchParams()
  const activation = readActivation(tmp_account_id, query)
  const body = activation.kind === 'create' ? activation.body : null
  const { data: account, error, isError, failureCount, refetch } = useCreatedAccount(body)

  if (body === null) {
    const isCanceled = activation.kind === 'canceled'
    return <ActivationFailed text={isCanceled ? CANCELED : WRONG} action={isCanceled && <ChooseAgain />} />
  }
  if (account) {
    const { label } = PLANS[body.account_type]
    return (
      <Activated
        text={`${account.name} is on the ${label} plan. Create its first workspace to begin.`}
        action={
          <ButtonLink variant="primary" to={`/${account.trellis_code}/create-workspace`}>
            Create workspace
          </ButtonLink>
        }
      />
    )
  }
  if (isError) {
    return (
      <ActivationFailed
        text={error.message}
        reference={'requestId' in error ? (error.requestId as string | undefined) : undefined}
        action={
          <Button variant="primary" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    )
  }
  return <Activating isWaiting={failureCount > 0} />
}

function ChooseAgain() {
  const navigate = useNavigate()
  const state = recallChoice()
  return (
    state && (
      <Button variant="primary" onClick={() => void navigate('/plan-select', { state })}>
        Back to plan selection
      </Button>
    )
  )
}
