import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { CreditCard, ExternalLink } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { canIn } from '../../accounts/accounts.queries.ts'
import { usePaymentDetails, usePaymentProvider } from '../billing.queries.ts'
import { LoadProblem } from './LoadProblem.tsx'
import { ACCOUNT_MANAGER_TITLE } from './plan-notice.ts'
import styles from './overview.module.css'

type Details = NonNullable<ReturnType<typeof usePaymentDetails>['data']>

export function PaymentDetailsCard({ account }: { account: Account }) {
  const details = usePaymentDetails(account.trellis_code)
  const provider = usePaymentProvider(account.trellis_code)
  if (details.isError) return <LoadProblem title="Could not load payment details." query={details} />
  const canUpdate = details.data?.is_plan_managed === true && canIn(account, 'billing:write')
  return (
    <Card
      title="Payment details"
      subtitle="The card and address invoices go to."
      actions={
        canUpdate && (
          <Button
            icon={<ExternalLink aria-hidden />}
            isBusy={provider.isOpening}
            onClick={() => provider.open({ kind: 'payment' })}
          >
            Update payment details
          </Button>
        )
      }
    >
      {details.isPending ? (
        <Loading label="Loading payment details" className={styles.payment}>
          <Skeleton width={40} height={28} />
          <span className={styles.ghosts}>
            <Skeleton width={160} />
            <Skeleton width={120} />
          </span>
        </Loading>
      ) : (
        <Payment details={details.data} />
      )}
    </Card>
  )
}

function Payment({ details }: { details: Details }) {
  const { card, billing_email, is_plan_managed } = details
  if (!is_plan_managed) return <p className={styles.text}>{ACCOUNT_MANAGER_TITLE}.</p>
  return (
    <div className={styles.payment}>
      <span className={styles.cardIcon}>
        <CreditCard aria-hidden />
      </span>
      <div>
        {card ? (
          <>
            <div className={styles.strong}>
              {brandName(card.brand)} ending in {card.last4}
            </div>
            <div className={styles.text}>
              Expires {String(card.exp_month).padStart(2, '0')}/{card.exp_year}
            </div>
          </>
        ) : (
          <div className={styles.strong}>No card on file</div>
        )}
        {billing_email && <div className={styles.text}>Invoices go to {billing_email}</div>}
      </div>
    </div>
  )
}

function brandName(brand: string): string {
  return brand === 'amex' ? 'American Express' : brand.charAt(0).toUpperCase() + brand.slice(1)
}
