import { PLANS } from '@trellis/contract/billing/plans'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../ui/actions/Button.tsx'
import { useCreatedAccount } from '../billing.queries.ts'
import { findPlan } from '../plans/plan-choice.ts'
import { findPlanChoice } from '../plans/plan-memory.ts'
import { CANCELED_TEXT, readActivation, type Activation } from './activation.ts'
import { ActivationFailed } from './ActivationResult.tsx'
import { ActivationSteps } from './ActivationSteps.tsx'
import { AwaitedPlan } from './AwaitedPlan.tsx'

export function Component() {
  const { tmp_account_id } = useParams()
  const [query] = useSearchParams()
  const activation = readActivation(tmp_account_id, query)
  switch (activation.kind) {
    case 'create':
      return <NewAccount body={activation.body} />
    case 'await':
      return (
        <AwaitedPlan
          accountCode={activation.accountCode}
          action={
            <ButtonLink variant="primary" to={`/${activation.accountCode}/settings?tab=billing`}>
              View billing
            </ButtonLink>
          }
        />
      )
    case 'canceled':
      return <ActivationFailed text={CANCELED_TEXT} action={<ChooseAgain />} />
    case 'wrong':
      return <ActivationFailed text="This address does not belong to a plan that was paid." />
  }
}

function NewAccount({ body }: { body: Extract<Activation, { kind: 'create' }>['body'] }) {
  const work = useCreatedAccount(body)
  return (
    <ActivationSteps
      work={work}
      told={(account) => ({
        text: `${account.name} is on the ${PLANS[findPlan(account.account_type) ?? body.account_type].label} plan. Create its first workspace to begin.`,
        action: (
          <ButtonLink variant="primary" to={`/${account.trellis_code}/create-workspace`}>
            Create workspace
          </ButtonLink>
        ),
      })}
    />
  )
}

function ChooseAgain() {
  const navigate = useNavigate()
  const state = findPlanChoice()
  return (
    state && (
      <Button variant="primary" onClick={() => void navigate('/plan-select', { state })}>
        Back to plan selection
      </Button>
    )
  )
}
