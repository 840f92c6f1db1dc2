import { Page, PageHeader, Stack } from '../../ui/layout/Page.tsx'
import { canIn, useCurrentAccount } from '../accounts/accounts.queries.ts'
import { UtilizationCard } from './credits/UtilizationCard.tsx'
import { CurrentPlanCard } from './overview/CurrentPlanCard.tsx'
import { InvoicesCard } from './overview/InvoicesCard.tsx'
import { PaymentDetailsCard } from './overview/PaymentDetailsCard.tsx'
import { PlanStatusBanner } from './overview/PlanStatusBanner.tsx'

export function Component() {
  const account = useCurrentAccount()
  const canSeePayments = canIn(account, 'billing:read')
  return (
    <Page>
      <PageHeader title="Billing" subtitle={`Plan, credits and payments of ${account.name}.`} />
      <Stack>
        <PlanStatusBanner account={account} />
        <CurrentPlanCard account={account} />
        <UtilizationCard account={account} />
        {canSeePayments && <PaymentDetailsCard account={account} />}
        {canSeePayments && <InvoicesCard account={account} />}
      </Stack>
    </Page>
  )
}
