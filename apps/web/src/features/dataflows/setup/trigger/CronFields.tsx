import { TextField } from '../../../../ui/forms/TextField.tsx'
import { CRON_FIELD_TEXTS, describeCronPart, splitCronParts, withCronPart } from './cron-words.ts'
import type { ArgsProps } from './trigger-fields.ts'
import styles from './trigger.module.css'
import { ZoneField } from './ZoneField.tsx'

export function CronFields({ args, fields, onChange }: ArgsProps<'Cron Schedule'>) {
  const parts = splitCronParts(args.cronExpression)
  const set = (cronExpression: string) => onChange({ ...args, cronExpression })
  return (
    <>
      <TextField
        label="Cron expression"
        isMono
        placeholder="0 6 * * ? *"
        spellCheck={false}
        autoComplete="off"
        hint="Minute, hour, day of month, month, day of week, year. One of the two days must be ? or *."
        value={args.cronExpression}
        disabled={fields.isDisabled}
        error={fields.getError('cronExpression')}
        onBlur={() => fields.touch('cronExpression')}
        onChange={(event) => set(event.target.value)}
      />
      <fieldset className={styles.cron}>
        <legend className="visually-hidden">Fields of the expression</legend>
        {CRON_FIELD_TEXTS.map(({ name, label, help }, index) => {
          const part = parts[index] ?? ''
          return (
            <TextField
              key={name}
              label={label}
              isMono
              placeholder="*"
              spellCheck={false}
              autoComplete="off"
              hint={describeCronPart(name, part) || help}
              title={help}
              value={part}
              disabled={fields.isDisabled}
              onFocus={(event) => event.target.select()}
              onBlur={() => fields.touch('cronExpression')}
              onChange={(event) => set(withCronPart(args.cronExpression, index, event.target.value))}
            />
          )
        })}
      </fieldset>
      <ZoneField
        name="timeStandard"
        label="Time standard"
        value={args.timeStandard}
        fields={fields}
        onChange={(timeStandard) => onChange({ ...args, timeStandard })}
      />
    </>
  )
}
