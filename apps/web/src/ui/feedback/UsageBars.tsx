import { UsageBar } from './Meters.tsx'
import styles from './usage-bars.module.css'

export interface UsageLine {
  key: string
  label: string
  used: number
  limit: number | null
  format: (value: number) => string
  note?: string | undefined
  /** Counted, not used up: all of them in use is no alarm. */
  isPlaces?: boolean | undefined
  /** Said in place of the bar when nothing is allowed; without it that counts as used up. */
  none?: string | undefined
}

/** Several bars side by side where there is room, each with what else is to know about it. */
export function UsageBars({ lines }: { lines: readonly UsageLine[] }) {
  return (
    <div className={styles.bars}>
      {lines.map(({ key, note, none, ...line }) => (
        <div key={key} className={styles.line}>
          {none !== undefined && line.limit === 0 ? (
            <div className={styles.plain}>
              <span>{line.label}</span>
              <span>{none}</span>
            </div>
          ) : (
            <UsageBar {...line} />
          )}
          {note && <p className={styles.note}>{note}</p>}
        </div>
      ))}
    </div>
  )
}
