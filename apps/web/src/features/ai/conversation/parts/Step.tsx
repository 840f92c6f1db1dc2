import { StatusDot } from '../../../../ui/feedback/Status.tsx'
import { formatDuration } from './format-duration.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'

const TONES = { running: 'info', completed: 'success', failed: 'danger' } as const
const STATUS_LABELS = { running: 'running', completed: 'done', failed: 'failed' } as const

export function Step({ step: { title, status, detail, duration_ms } }: { step: PartOf<'step'> }) {
  return (
    <p className={styles.step}>
      <StatusDot tone={TONES[status]} isBusy={status === 'running'}>
        {title}
      </StatusDot>
      <span className={styles.soft}>
        {[STATUS_LABELS[status], detail, duration_ms === null ? null : formatDuration(duration_ms)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </p>
  )
}
