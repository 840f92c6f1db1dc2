import { Stack } from '../../ui/layout/Page.tsx'
import { useCachedAccounts } from '../accounts/accounts.queries.ts'
import { CurrentPlanCard } from './overview/CurrentPlanCard.tsx'
import { InvoicesCard } from './overview/InvoicesCard.tsx'
import { PaymentDetailsCard } from './overview/PaymentDetailsCard.tsx'
import { PlanStatusBanner } from './overview/PlanStatusBanner.tsx'

export function AccountBillingTab({ accountCode }: { accountCode: string }) {
  const account = useCachedAccounts().find((candidate) => candidate.trellis_code === accountCode)
  return account ? (
    <Stack>
      <PlanStatusBanner account={account} />
      <CurrentPlanCard account={account} />
      <PaymentDetailsCard account={account} />
      <InvoicesCard account={account} />
    </Stack>
  ) : null
}
