import type { Account } from '@trellis/contract/accounts/accounts.schemas'
import { Coins } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Loading, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { UsageBars } from '../../../ui/feedback/UsageBars.tsx'
import { Card } from '../../../ui/layout/Card.tsx'
import { canIn } from '../../accounts/accounts.queries.ts'
import { useUsage, useUsageLines } from '../billing.queries.ts'
import { LoadProblem } from '../overview/LoadProblem.tsx'
import { consumeArrivedCredits } from './awaited-credits.ts'
import { BuyCreditsDialog } from './BuyCreditsDialog.tsx'
import styles from './credits.module.css'

export function UtilizationCard({ account }: { account: Account }) {
  const usage = useUsageLines(account.trellis_code)
  const [isBuying, setBuying] = useState(false)
  useArrivedCredits(account.trellis_code)
  if (usage.isError) return <LoadProblem title="Could not load utilization details." query={usage} />
  return (
    <Card
      title="Utilization details"
      subtitle="Usage of the account, over all its workspaces."
      actions={
        canIn(account, 'billing:write') && (
          <Button icon={<Coins aria-hidden />} onClick={() => setBuying(true)}>
            Buy credits
          </Button>
        )
      }
    >
      {usage.isPending ? <BarsSkeleton /> : <UsageBars lines={usage.data} />}
      {isBuying && <BuyCreditsDialog accountCode={account.trellis_code} onClose={() => setBuying(false)} />}
    </Card>
  )
}

/** Confirms the purchase once, after the return from the checkout. */
function useArrivedCredits(accountCode: string): void {
  const { data } = useUsage(accountCode)
  useEffect(() => {
    const credits = data ? consumeArrivedCredits(accountCode, data) : 0
    if (credits > 0) showToast({ tone: 'success', text: `${credits.toLocaleString('en-US')} credits were added.` })
  }, [accountCode, data])
}

function BarsSkeleton() {
  return (
    <Loading label="Loading utilization details" className={styles.bars}>
      {[160, 120, 140, 96, 112].map((width) => (
        <span key={width} className={styles.ghost}>
          <Skeleton width={width} />
          <Skeleton height={6} />
        </span>
      ))}
    </Loading>
  )
}
