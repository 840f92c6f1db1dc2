import {
  actionTypeChoices,
  listActivityChoices,
  changeActionType,
  changeActionValue,
} from '@trellis/contract/dataflows/trigger-changes'
import {
  findActionProblems,
  type Action,
  type ActionType,
  type TriggerForm,
} from '@trellis/contract/dataflows/triggers'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../../../ui/actions/IconButton.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { ScheduleFields } from './ScheduleFields.tsx'
import styles from './trigger.module.css'
import type { Activity, CardFields } from './trigger-fields.ts'

interface CardProps {
  id: string
  number: number
  action: Action
  form: TriggerForm
  activities: readonly Activity[]
  isDisabled: boolean
  canRemove: boolean
  onChange: (form: TriggerForm, fieldPath: string) => void
  onRemove: () => void
}

export function ActionCard(props: CardProps) {
  const { id, number, action, form, activities, isDisabled, canRemove, onChange, onRemove } = props
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const codes = activities.map((activity) => activity.task_block_trellis_code)
  const problems = findActionProblems(action, codes)
  const fieldPath = `trigger.actions.${id}`
  const fields = {
    getError: (name: string) => (touched.has(name) ? problems[name] : undefined),
    touch: (name: string) => setTouched((old) => new Set(old).add(name)),
    isDisabled,
  }
  return (
    <section className={styles.card} aria-label={`Trigger ${number}`} data-card={id} data-path={fieldPath}>
      <header className={styles.cardHead}>
        <h3>Trigger {number}</h3>
        <IconButton
          size="sm"
          label={`Delete trigger ${number}`}
          icon={<Trash2 aria-hidden />}
          disabled={isDisabled || !canRemove}
          onClick={onRemove}
        />
      </header>
      <div className={styles.pair}>
        <Select
          label="Action"
          value={action.action}
          disabled={isDisabled}
          options={actionTypeChoices(form, id).map((type) => ({ value: type, label: type }))}
          onChange={(event) => {
            setTouched(new Set())
            onChange(changeActionType(form, id, event.target.value as ActionType), fieldPath)
          }}
        />
        {action.action === 'Activity' && (
          <ActivityField
            code={action.actionValue.taskBlockTrellisCode}
            choices={listActivityChoices(form, id, codes)}
            activities={activities}
            fields={fields}
            onChoose={(taskBlockTrellisCode) => {
              fields.touch('taskBlockTrellisCode')
              onChange(changeActionValue(form, id, { taskBlockTrellisCode }), `${fieldPath}.activity`)
            }}
          />
        )}
      </div>
      {action.action === 'Schedule' && (
        <ScheduleFields id={id} value={action.actionValue} form={form} fields={fields} onChange={onChange} />
      )}
    </section>
  )
}

interface ActivityProps {
  code: string
  choices: readonly string[]
  activities: readonly Activity[]
  fields: CardFields
  onChoose: (code: string) => void
}

function ActivityField({ code, choices, activities, fields, onChoose }: ActivityProps) {
  const options = activities
    .filter((activity) => choices.includes(activity.task_block_trellis_code))
    .map((activity) => ({
      value: activity.task_block_trellis_code,
      label: `${activity.name} (${activity.kind.toLowerCase()})`,
    }))
  const isGone = code !== '' && !activities.some((activity) => activity.task_block_trellis_code === code)
  return (
    <Select
      label="Activity"
      hint={activities.length === 0 ? 'There is no other block to wait for.' : 'Runs when this one has succeeded.'}
      placeholder="Choose an activity…"
      value={code}
      disabled={fields.isDisabled}
      error={fields.getError('taskBlockTrellisCode')}
      options={isGone ? [...options, { value: code, label: `${code} (not there)` }] : options}
      onBlur={() => fields.touch('taskBlockTrellisCode')}
      onChange={(event) => onChoose(event.target.value)}
    />
  )
}
