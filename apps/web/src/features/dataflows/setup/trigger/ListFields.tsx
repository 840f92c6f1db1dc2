import { WEEKDAYS, hasAllWeekdays, toggleAllWeekdays, toggleWeekday } from '@trellis/contract/dataflows/schedules'
import { Checkbox } from '../../../../ui/forms/Choices.tsx'
import { FieldError } from '../../../../ui/forms/Field.tsx'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { dayName } from './cron-words.ts'
import type { ArgsProps } from './trigger-fields.ts'
import styles from './trigger.module.css'
import { ZoneField } from './ZoneField.tsx'

export function ListFields({ args, fields, onChange }: ArgsProps<'List Schedule'>) {
  const { timezone, timeList, weekdays } = args
  const touchDays = () => fields.touch('weekdays')
  const hasAll = hasAllWeekdays(weekdays)
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label="Run at"
          isMono
          placeholder="6, 12, 18"
          hint="Hours from 0 to 23, with commas between them."
          autoComplete="off"
          value={timeList}
          disabled={fields.isDisabled}
          error={fields.getError('timeList')}
          onBlur={() => fields.touch('timeList')}
          onChange={(event) => onChange({ ...args, timeList: event.target.value })}
        />
        <ZoneField
          name="timezone"
          label="Timezone"
          value={timezone}
          fields={fields}
          onChange={(zone) => onChange({ ...args, timezone: zone })}
        />
      </div>
      <fieldset className={styles.days}>
        <legend>Weekdays</legend>
        <Checkbox
          label="Select all"
          checked={hasAll}
          isPartly={weekdays.length > 0 && !hasAll}
          disabled={fields.isDisabled}
          onChange={() => onChange({ ...args, weekdays: toggleAllWeekdays(weekdays) })}
          onBlur={touchDays}
        />
        <div className={styles.dayList}>
          {WEEKDAYS.map((day) => (
            <Checkbox
              key={day}
              label={dayName(day)}
              checked={weekdays.includes(day)}
              disabled={fields.isDisabled}
              onChange={() => onChange({ ...args, weekdays: toggleWeekday(weekdays, day) })}
              onBlur={touchDays}
            />
          ))}
        </div>
        <FieldError text={fields.getError('weekdays')} />
      </fieldset>
    </>
  )
}
