import { wholeNumber } from '../../../ui/data/amounts.ts'
import styles from './check.module.css'
import type { Segment } from './outcome.ts'

export function ShareBar({ label, segments }: { label: string; segments: readonly Segment[] }) {
  const whole = segments.reduce((sum, segment) => sum + segment.value, 0)
  return (
    <div>
      <div className={styles.bar} aria-hidden>
        {segments.map(
          (segment) =>
            segment.value > 0 && (
              <span
                key={segment.label}
                data-tone={segment.tone}
                style={{ flexGrow: Math.max(segment.value / whole, 0.012) }}
              />
            ),
        )}
      </div>
      <dl className={styles.legend} aria-label={label}>
        {segments.map((segment) => (
          <div key={segment.label} data-tone={segment.tone}>
            <dt>{segment.label}</dt>
            <dd>{wholeNumber(segment.value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
