import { TIMEZONE_OPTIONS, WEEKDAYS, type Weekday } from '@trellis/contract/dataflows/schedules'
import { Select } from '../../../ui/forms/Select.tsx'
import { FREQUENCIES, getOwnZone, toDayName, toHourText, type Frequency, type ScheduleDraft } from './schedule-draft.ts'
import styles from './schedules.module.css'

const LABELS: Record<Frequency, string> = {
  hourly: 'Every hour',
  daily: 'Every day',
  weekdays: 'Monday to Friday',
  weekly: 'Every week',
}
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: toHourText(hour) }))
const DAYS = WEEKDAYS.map((value) => ({ value, label: toDayName(value) }))

interface ScheduleFieldsProps {
  draft: ScheduleDraft
  onChange: (draft: ScheduleDraft) => void
}

export function ScheduleFields({ draft, onChange }: ScheduleFieldsProps) {
  const zones = [...new Set([getOwnZone(), ...TIMEZONE_OPTIONS])]
  const change = (part: Partial<ScheduleDraft>) => onChange({ ...draft, ...part })
  return (
    <div className={styles.fields}>
      <Select
        label="Schedule"
        value={draft.frequency}
        options={FREQUENCIES.map((value) => ({ value, label: LABELS[value] }))}
        onChange={(event) => change({ frequency: event.target.value as Frequency })}
      />
      {draft.frequency === 'weekly' && (
        <Select
          label="Day"
          value={draft.weekday}
          options={DAYS}
          onChange={(event) => change({ weekday: event.target.value as Weekday })}
        />
      )}
      {draft.frequency !== 'hourly' && (
        <>
          <Select
            label="Run at"
            value={String(draft.hour)}
            options={HOURS}
            onChange={(event) => change({ hour: Number(event.target.value) })}
          />
          <Select
            label="Timezone"
            value={draft.timezone}
            options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            onChange={(event) => change({ timezone: event.target.value })}
          />
        </>
      )}
    </div>
  )
}
