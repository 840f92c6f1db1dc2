import { TIMEZONE_OPTIONS } from '@trellis/contract/dataflows/schedules'
import { useId } from 'react'
import { Select } from '../../../ui/forms/Select.tsx'
import { getOwnZone } from '../own-zone.ts'
import { PACES, toHourText, type Pace, type StartTime } from './start-plan.ts'
import styles from './start.module.css'

const LABELS: Record<Pace, string> = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  manual: 'Only by hand',
}

const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: toHourText(hour) }))

export function WhenFields({ when, onChange }: { when: StartTime; onChange: (when: StartTime) => void }) {
  const name = useId()
  const zones = [...new Set([getOwnZone(), when.zone, ...TIMEZONE_OPTIONS])]
  const hasTime = when.pace === 'daily' || when.pace === 'weekdays'
  return (
    <fieldset className={styles.when}>
      <legend>When</legend>
      <div className={styles.paces}>
        {PACES.map((pace) => (
          <label key={pace} className={styles.pace}>
            <input type="radio" name={name} checked={when.pace === pace} onChange={() => onChange({ ...when, pace })} />
            {LABELS[pace]}
          </label>
        ))}
      </div>
      {hasTime && (
        <div className={styles.time}>
          <Select
            label="At"
            value={String(when.hour)}
            options={HOURS}
            onChange={(event) => onChange({ ...when, hour: Number(event.target.value) })}
          />
          <Select
            label="Time zone"
            value={when.zone}
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
            onChange={(event) => onChange({ ...when, zone: event.target.value })}
          />
        </div>
      )}
      <p className={styles.soft}>
        Each run reads all rows and replaces the tables. Incremental reads and other schedules are in the settings of
        the block.
      </p>
    </fieldset>
  )
}
