import { Lock } from 'lucide-react'
import { Tooltip } from './Tooltip.tsx'
import styles from './overlays.module.css'

/** Explains why something is read-only. */
export function ReadOnlyMark({ reason }: { reason: string }) {
  return (
    <Tooltip text={reason}>
      <span className={styles.readOnly} tabIndex={0}>
        <Lock aria-hidden /> Read-only
      </span>
    </Tooltip>
  )
}
