import { WEEKDAYS, type ScheduleValue } from '@trellis/contract/dataflows/schedules'
import type { ParameterValues } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { SparkSchedule } from '@trellis/contract/sparks/spark-schedules.schemas'
import type { Spark } from '@trellis/contract/sparks/sparks.schemas'
import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateTime } from '../../../ui/data/DateTime.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Switch } from '../../../ui/forms/Choices.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { SubmitDialog } from '../../../ui/forms/SubmitDialog.tsx'
import { useDeleteSparkSchedule, useSaveSparkSchedule, useSparkSchedule, type SparkParams } from '../sparks.queries.ts'
import { useSparks } from '../use-sparks.ts'

const DAYS = {
  daily: { label: 'Every day', days: WEEKDAYS },
  workdays: { label: 'Monday to Friday', days: WEEKDAYS.slice(0, 5) },
  weekly: { label: 'Every Monday', days: WEEKDAYS.slice(0, 1) },
} as const
type Rhythm = keyof typeof DAYS
const RHYTHMS = Object.keys(DAYS) as Rhythm[]
const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))
const OWN_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone

interface MailDraft {
  rhythm: Rhythm
  hour: string
  timezone: string
  isOnlyChanged: boolean
}

const FIRST_DRAFT: MailDraft = { rhythm: 'weekly', hour: '8', timezone: OWN_ZONE, isOnlyChanged: false }

/** A schedule made through the API that the dialog cannot express is not kept. */
function toDraft({ schedule, only_if_changed }: SparkSchedule): MailDraft {
  const draft = { ...FIRST_DRAFT, isOnlyChanged: only_if_changed }
  if (schedule.scheduleType !== 'List Schedule') return draft
  const { timezone, timeList, weekdays } = schedule.scheduleArgs
  const rhythm = RHYTHMS.find(
    (candidate) => DAYS[candidate].days.join() === WEEKDAYS.filter((day) => weekdays.includes(day)).join(),
  )
  return rhythm && HOURS.some(({ value }) => value === timeList)
    ? { ...draft, rhythm, hour: timeList, timezone }
    : draft
}

const toSchedule = ({ rhythm, hour, timezone }: MailDraft): ScheduleValue => ({
  scheduleType: 'List Schedule',
  scheduleArgs: { timezone, timeList: hour, weekdays: [...DAYS[rhythm].days] },
})

interface MailDialogProps {
  spark: Spark
  parameters: ParameterValues
  onClose: () => void
}

export function MailDialog({ spark, parameters, onClose }: MailDialogProps) {
  const { params } = useSparks()
  const sparkParams = { ...params, spark_trellis_code: spark.spark_trellis_code }
  const { data, isLoading } = useSparkSchedule(sparkParams)
  const save = useSaveSparkSchedule()
  const current = data?.schedule ?? null
  const [changes, setChanges] = useState<Partial<MailDraft>>({})
  const draft = { ...(current ? toDraft(current) : FIRST_DRAFT), ...changes }
  const change = (part: Partial<MailDraft>) => setChanges({ ...changes, ...part })
  return (
    <SubmitDialog
      title="Mail this spark to me"
      submitLabel={current ? 'Change schedule' : 'Schedule'}
      isBusy={save.isPending}
      isLoading={isLoading}
      canSubmit
      onClose={onClose}
      onSubmit={() =>
        save.mutate(
          {
            params: sparkParams,
            body: { schedule: toSchedule(draft), parameters, only_if_changed: draft.isOnlyChanged },
          },
          { onSuccess: onClose },
        )
      }
    >
      {current && <CurrentSchedule current={current} sparkParams={sparkParams} onClose={onClose} />}
      <Select
        label="How often"
        options={RHYTHMS.map((value) => ({ value, label: DAYS[value].label }))}
        value={draft.rhythm}
        onChange={(event) => change({ rhythm: event.target.value as Rhythm })}
      />
      <Select
        label="At"
        hint={`Time in ${draft.timezone.replaceAll('_', ' ')}`}
        options={HOURS}
        value={draft.hour}
        onChange={(event) => change({ hour: event.target.value })}
      />
      <Switch
        label="Only when its rows have changed"
        checked={draft.isOnlyChanged}
        onChange={(event) => change({ isOnlyChanged: event.target.checked })}
      />
    </SubmitDialog>
  )
}

interface CurrentScheduleProps {
  current: SparkSchedule
  sparkParams: SparkParams
  onClose: () => void
}

function CurrentSchedule({ current, sparkParams, onClose }: CurrentScheduleProps) {
  const remove = useDeleteSparkSchedule()
  const isFailing = current.last_outcome === 'failed'
  return (
    <Banner
      tone={isFailing ? 'warning' : 'info'}
      title={isFailing ? 'The last mail could not be sent' : 'A mail is scheduled'}
      action={
        <Button
          size="sm"
          isBusy={remove.isPending}
          onClick={() => remove.mutate({ params: sparkParams }, { onSuccess: onClose })}
        >
          Stop mails
        </Button>
      }
    >
      {isFailing && <span>{current.last_problem} </span>}
      {current.next_at !== null && (
        <span>
          Next: <DateTime value={current.next_at} />
        </span>
      )}
    </Banner>
  )
}
