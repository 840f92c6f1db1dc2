import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../actions/Button.tsx'
import { CopyButton } from '../actions/CopyButton.tsx'
import styles from './feedback.module.css'

/** Says what failed, why, and what to do; the reference finds the request in the server's log. */
export function ErrorPanel({
  title,
  detail,
  reference,
  onRetry,
  isRetrying = false,
  children,
}: {
  title: string
  detail?: ReactNode
  reference?: string | undefined
  onRetry?: () => void
  isRetrying?: boolean
  children?: ReactNode
}) {
  return (
    <div className={styles.panel} role="alert">
      <div className={styles.panelBody}>
        <CircleAlert aria-hidden />
        <div>
          <h2>{title}</h2>
          {detail && <p>{detail}</p>}
          <div className={styles.panelActions}>
            {onRetry && (
              <Button icon={<RotateCw aria-hidden />} isBusy={isRetrying} onClick={onRetry}>
                Retry
              </Button>
            )}
            {children}
            {reference && <Reference id={reference} />}
          </div>
        </div>
      </div>
    </div>
  )
}

export function Reference({ id }: { id: string }) {
  return (
    <span className={styles.reference}>
      Reference <code>{id}</code>
      <CopyButton text={id} what="Copy reference" />
    </span>
  )
}
