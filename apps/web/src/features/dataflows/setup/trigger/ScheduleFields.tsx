import {
  SCHEDULE_TYPES,
  emptySchedule,
  findScheduleProblems,
  type ScheduleType,
  type ScheduleValue,
} from '@trellis/contract/dataflows/schedules'
import { changeActionValue, changeScheduleType } from '@trellis/contract/dataflows/trigger-changes'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import { getOwnZone } from '../../own-zone.ts'
import { Select } from '../../../../ui/forms/Select.tsx'
import type { CardFields } from './trigger-fields.ts'
import { CronFields } from './CronFields.tsx'
import { DueTimes } from './DueTimes.tsx'
import { IntervalFields } from './IntervalFields.tsx'
import { ListFields } from './ListFields.tsx'
import styles from './trigger.module.css'

interface ScheduleProps {
  id: string
  value: ScheduleValue
  form: TriggerForm
  fields: CardFields
  onChange: (form: TriggerForm, fieldPath: string) => void
}

export function ScheduleFields({ id, value, form, fields, onChange }: ScheduleProps) {
  const set = (next: ScheduleValue) => onChange(changeActionValue(form, id, next), `trigger.actions.${id}.schedule`)
  return (
    <>
      <Select
        label="Schedule type"
        placeholder="Choose a kind of schedule…"
        value={value.scheduleType}
        disabled={fields.isDisabled}
        error={fields.getError('scheduleType')}
        options={SCHEDULE_TYPES.map((type) => ({ value: type, label: type }))}
        onBlur={() => fields.touch('scheduleType')}
        onChange={(event) => {
          const type = event.target.value as ScheduleType | ''
          const typed = changeScheduleType(form, id, type)
          onChange(changeActionValue(typed, id, withBrowserZone(emptySchedule(type))), `trigger.actions.${id}.type`)
        }}
      />
      {value.scheduleType === 'Cron Schedule' && (
        <CronFields
          args={value.scheduleArgs}
          fields={fields}
          onChange={(scheduleArgs) => set({ ...value, scheduleArgs })}
        />
      )}
      {value.scheduleType === 'Interval Schedule' && (
        <IntervalFields
          args={value.scheduleArgs}
          fields={fields}
          onChange={(scheduleArgs) => set({ ...value, scheduleArgs })}
        />
      )}
      {value.scheduleType === 'List Schedule' && (
        <ListFields
          args={value.scheduleArgs}
          fields={fields}
          onChange={(scheduleArgs) => set({ ...value, scheduleArgs })}
        />
      )}
      <div className={styles.due}>
        {Object.keys(findScheduleProblems(value)).length === 0 ? (
          <DueTimes schedule={value} />
        ) : (
          <p className={styles.soft}>The next due times appear here once the schedule is complete.</p>
        )}
      </div>
    </>
  )
}

/** New schedules start in the browser's time zone. */
function withBrowserZone(value: ScheduleValue): ScheduleValue {
  switch (value.scheduleType) {
    case 'Cron Schedule':
      return { ...value, scheduleArgs: { ...value.scheduleArgs, timeStandard: getOwnZone() } }
    case 'List Schedule':
      return { ...value, scheduleArgs: { ...value.scheduleArgs, timezone: getOwnZone() } }
    default:
      return value
  }
}
