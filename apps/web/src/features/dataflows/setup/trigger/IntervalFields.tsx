import { INTERVAL_HOURS, INTERVAL_MINUTES } from '@trellis/contract/dataflows/schedules'
import { formatCount } from '../../../../ui/data/amounts.ts'
import { Select } from '../../../../ui/forms/Select.tsx'
import type { ArgsProps } from './trigger-fields.ts'
import styles from './trigger.module.css'

const parseChoice = (text: string): number | null => (text === '' ? null : Number(text))

export function IntervalFields({ args, fields, onChange }: ArgsProps<'Interval Schedule'>) {
  return (
    <div className={styles.pair}>
      <Select
        label="Hours"
        placeholder="Choose…"
        value={args.hourInterval === null ? '' : String(args.hourInterval)}
        disabled={fields.isDisabled}
        error={fields.getError('hourInterval')}
        options={INTERVAL_HOURS.map((hours) => ({ value: String(hours), label: formatCount(hours, 'hour') }))}
        onBlur={() => fields.touch('hourInterval')}
        onChange={(event) => onChange({ ...args, hourInterval: parseChoice(event.target.value) })}
      />
      <Select
        label="Minutes"
        placeholder="Choose…"
        value={args.minutesInterval === null ? '' : String(args.minutesInterval)}
        disabled={fields.isDisabled}
        error={fields.getError('minutesInterval')}
        options={INTERVAL_MINUTES.map((minutes) => ({ value: String(minutes), label: formatCount(minutes, 'minute') }))}
        onBlur={() => fields.touch('minutesInterval')}
        onChange={(event) => onChange({ ...args, minutesInterval: parseChoice(event.target.value) })}
      />
    </div>
  )
}
