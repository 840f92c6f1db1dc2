import { Lock } from 'lucide-react'
import { Tooltip } from './Tooltip.tsx'
import styles from './overlays.module.css'

/** Says why something can be looked at and not changed. */
export function ReadOnlyMark({ reason }: { reason: string }) {
  return (
    <Tooltip text={reason}>
      <span className={styles.readOnly} tabIndex={0}>
        <Lock aria-hidden /> Read-only
      </span>
    </Tooltip>
  )
}
