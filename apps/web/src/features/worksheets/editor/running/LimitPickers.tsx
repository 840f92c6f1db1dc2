import type { EditorSettings } from '@trellis/contract/worksheets/editor-settings'
import type { SqlLimits } from '@trellis/contract/sql/sql.schemas'
import { formatSeconds, listRowLimits, listTimeouts } from './limit-options.ts'
import styles from './running.module.css'

interface LimitPickersProps {
  settings: EditorSettings
  limits: SqlLimits | undefined
  /** An open transaction keeps its limits. */
  isFixed: boolean
  onChange: (change: Partial<EditorSettings>) => void
}

const rows = new Intl.NumberFormat('en')

export function LimitPickers({ settings, limits, isFixed, onChange }: LimitPickersProps) {
  if (!limits) return null
  const rowLimit = Math.min(settings.row_limit, limits.max_row_limit)
  const timeout = Math.min(settings.timeout_seconds, limits.max_timeout_seconds)
  return (
    <>
      <select
        aria-label="Row limit"
        title="Row limit"
        className={styles.limit}
        disabled={isFixed}
        value={rowLimit}
        onChange={(event) => onChange({ row_limit: Number(event.target.value) })}
      >
        {listRowLimits(rowLimit, limits).map((item) => (
          <option key={item} value={item}>
            {rows.format(item)} rows
          </option>
        ))}
      </select>
      <select
        aria-label="Timeout"
        title="Timeout"
        className={styles.limit}
        disabled={isFixed}
        value={timeout}
        onChange={(event) => onChange({ timeout_seconds: Number(event.target.value) })}
      >
        {listTimeouts(timeout, limits).map((item) => (
          <option key={item} value={item}>
            {formatSeconds(item)}
          </option>
        ))}
      </select>
    </>
  )
}
