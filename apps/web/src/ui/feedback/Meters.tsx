import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './feedback.module.css'
import { PLACES_TEXT, getSeatsLevel, USAGE_TEXT, getUsageLevel, computeUsageShare } from './usage-level.ts'

/** Used against allowed: warns from 80 %, red at 100 %. `limit` null means there is none. */
export function UsageBar({
  label,
  used,
  limit,
  format = (value) => value.toLocaleString('en'),
  isPlaces = false,
  note,
}: {
  label: string
  used: number
  limit: number | null
  format?: (value: number) => string
  /** Counted, not used up: seats, workspaces. */
  isPlaces?: boolean | undefined
  note?: ReactNode
}) {
  const share = computeUsageShare(used, limit)
  const level = isPlaces ? getSeatsLevel(used, limit) : getUsageLevel(share)
  const amount = limit === null ? `${format(used)} used` : `${format(used)} of ${format(limit)}`
  const text = note ?? (isPlaces ? PLACES_TEXT[level] : USAGE_TEXT[level])
  return (
    <div className={styles.meter}>
      <div className={styles.meterHead}>
        <span>{label}</span>
        <span>{amount}</span>
      </div>
      {limit !== null && <Track label={label} share={share} level={level} text={amount} />}
      {text && (
        <span className={styles.meterNote} data-level={level}>
          {text}
        </span>
      )}
    </div>
  )
}

/** Work under way, with numbers. */
export function ProgressBar({ label, share, note }: { label: string; share: number; note?: ReactNode }) {
  const percent = `${Math.round(Math.min(1, Math.max(0, share)) * 100)} %`
  return (
    <div className={styles.meter}>
      <div className={styles.meterHead}>
        <span>{label}</span>
        <span>{percent}</span>
      </div>
      <Track label={label} share={share} level="normal" text={percent} />
      {note && <span className={styles.meterNote}>{note}</span>}
    </div>
  )
}

function Track({ label, share, level, text }: { label: string; share: number; level: string; text: string }) {
  const percent = Math.round(share * 100)
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuetext={text}
    >
      <div className={styles.fill} data-level={level} style={{ width: `${percent}%` }} />
    </div>
  )
}

/** Where one stands in a short sequence; `current` counts from 0. */
export function Stepper({ steps, current }: { steps: readonly string[]; current: number }) {
  return (
    <ol className={styles.steps}>
      {steps.map((step, at) => (
        <li
          key={step}
          className={styles.step}
          data-state={at < current ? 'done' : at === current ? 'current' : 'ahead'}
          aria-current={at === current ? 'step' : undefined}
        >
          <span className={styles.stepMark} aria-hidden>
            {at < current ? <Check /> : at + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  )
}
