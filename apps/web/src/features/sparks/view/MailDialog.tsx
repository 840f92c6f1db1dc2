import { WEEKDAYS, type ScheduleValue } from '@trellis/contract/dataflows/schedules'
import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Switch } from '../../../ui/forms/Choices.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { useDeleteSparkSchedule, useSaveSparkSchedule, useSparkSchedule } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'

const DAYS = {
  daily: { label: 'Every day', days: [...WEEKDAYS] },
  workdays: { label: 'Monday to Friday', days: WEEKDAYS.slice(0, 5) },
  weekly: { label: 'Every Monday', days: WEEKDAYS.slice(0, 1) },
} as const
type Rhythm = keyof typeof DAYS
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

const buildSchedule = (rhythm: Rhythm, hour: string): ScheduleValue => ({
  scheduleType: 'List Schedule',
  scheduleArgs: {
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    timeList: hour,
    weekdays: [...DAYS[rhythm].days],
  },
})

interface MailDialogProps {
  spark: Spark
  parameters: ParameterValues
  onClose: () => void
}

/** The spark as picture and link, mailed to the person who asks for it. */
export function MailDialog({ spark, parameters, onClose }: MailDialogProps) {
  const { params } = useSparks()
  const at = { ...params, spark_trellis_code: spark.spark_trellis_code }
  const { data } = useSparkSchedule(at)
  const save = useSaveSparkSchedule()
  const remove = useDeleteSparkSchedule()
  const [rhythm, setRhythm] = useState<Rhythm>('weekly')
  const [hour, setHour] = useState('8')
  const [isOnlyChanged, setOnlyChanged] = useState(false)
  const current = data?.schedule ?? null
  return (
    <SubmitDialog
      title="Mail this spark to me"
      submitLabel={current ? 'Change schedule' : 'Schedule'}
      isBusy={save.isPending}
      canSubmit
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          {
            params: at,
            body: { schedule: buildSchedule(rhythm, hour), parameters, only_if_changed: isOnlyChanged },
          },
          { onSuccess: onClose },
        )
      }
    >
      {current && (
        <Banner
          tone="info"
          title="A mail is scheduled"
          action={
            <Button
              size="sm"
              isBusy={remove.isPending}
              onClick={() => remove.mutate({ params: at }, { onSuccess: onClose })}
            >
              Stop mails
            </Button>
          }
        >
          {current.next_at !== null && (
            <span>
              Next: <DateTime value={current.next_at} />
            </span>
          )}
        </Banner>
      )}
      <Select
        label="How often"
        options={(Object.keys(DAYS) as Rhythm[]).map((value) => ({ value, label: DAYS[value].label }))}
        value={rhythm}
        onChange={(event) => setRhythm(event.target.value as Rhythm)}
      />
      <Select label="At" options={HOURS} value={hour} onChange={(event) => setHour(event.target.value)} />
      <Switch
        label="Only when its rows have changed"
        checked={isOnlyChanged}
        onChange={(event) => setOnlyChanged(event.target.checked)}
      />
    </SubmitDialog>
  )
}
