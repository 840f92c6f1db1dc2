import { PLANS, type PlanName } from '@trellis/contract/billing/plans'
import { X } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { listLosses } from './plan-offer.ts'
import styles from './plans.module.css'

export function DowngradeDialog({
  from,
  to,
  isBusy,
  onContinue,
  onClose,
}: {
  from: PlanName
  to: PlanName
  isBusy: boolean
  onContinue: () => void
  onClose: () => void
}) {
  return (
    <Dialog
      title="Downgrade plan?"
      isLocked={isBusy}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={isBusy} data-autofocus>
            Cancel
          </Button>
          <Button variant="primary" isBusy={isBusy} onClick={onContinue}>
            Continue
          </Button>
        </>
      }
    >
      <p>By downgrading, you will lose access to:</p>
      <ul className={styles.losses}>
        {listLosses(from, to).map(({ lost, left }) => (
          <li key={lost}>
            <X aria-hidden />
            <span>
              {lost}
              <small>
                {PLANS[to].label}: {left}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
