import { Stack } from '../../ui/layout/Page.tsx'
import { useCachedAccounts } from '../accounts/accounts.queries.ts'
import { UtilizationCard } from './credits/UtilizationCard.tsx'
import { CurrentPlanCard } from './overview/CurrentPlanCard.tsx'

export function PlanUtilizationTab({ accountCode }: { accountCode: string }) {
  const account = useCachedAccounts().find((candidate) => candidate.trellis_code === accountCode)
  return account ? (
    <Stack>
      <CurrentPlanCard account={account} />
      <UtilizationCard account={account} />
    </Stack>
  ) : null
}
