import { wholeNumber } from '../../../ui/data/amounts.ts'
import styles from './check.module.css'
import type { Segment } from './outcome.ts'

export function ShareBar({ label, segments }: { label: string; segments: readonly Segment[] }) {
  const whole = segments.reduce((sum, one) => sum + one.value, 0)
  return (
    <div>
      <div className={styles.bar} aria-hidden>
        {segments.map(
          (one) =>
            one.value > 0 && (
              <span key={one.label} data-tone={one.tone} style={{ flexGrow: Math.max(one.value / whole, 0.012) }} />
            ),
        )}
      </div>
      <dl className={styles.legend} aria-label={label}>
        {segments.map((one) => (
          <div key={one.label} data-tone={one.tone}>
            <dt>{one.label}</dt>
            <dd>{wholeNumber(one.value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
