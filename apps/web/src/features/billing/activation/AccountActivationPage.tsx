import { useSearchParams } from 'react-router'
import { ButtonLink } from '../../../ui/actions/Button.tsx'
import { useCurrentWorkspace } from '../../accounts/accounts.queries.ts'
import { CANCELED_TEXT, isCanceledStatus } from './activation.ts'
import { ActivationFailed } from './ActivationResult.tsx'
import { AwaitedPlan } from './AwaitedPlan.tsx'

export function Component() {
  const { account, workspace } = useCurrentWorkspace()
  const [query] = useSearchParams()
  const base = `/${account.trellis_code}/${workspace.workspace_address}/ai`
  return isCanceledStatus(query) ? (
    <ActivationFailed
      text={CANCELED_TEXT}
      action={
        <ButtonLink variant="primary" to={`${base}/plan-change`}>
          Back to plan selection
        </ButtonLink>
      }
    />
  ) : (
    <AwaitedPlan
      accountCode={account.trellis_code}
      action={
        <ButtonLink variant="primary" to={`${base}/billing`}>
          View billing
        </ButtonLink>
      }
    />
  )
}
