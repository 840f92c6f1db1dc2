import {
  addAction,
  canAddAction,
  canRemoveAction,
  changeScope,
  removeAction,
} from '@trellis/contract/dataflows/trigger-changes'
import {
  CONNECTORS,
  SCOPE_NAMES,
  SCOPES,
  listActions,
  type Scope,
  type TriggerForm,
} from '@trellis/contract/dataflows/triggers'
import { Plus } from 'lucide-react'
import { Fragment, useEffect, useRef, useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { ActionCard } from './ActionCard.tsx'
import type { Activity } from './trigger-fields.ts'
import styles from './trigger.module.css'

export interface TriggerSectionProps {
  form: TriggerForm
  /** Blocks it can wait for without a cycle. */
  activities: readonly Activity[]
  isDisabled?: boolean
  onChange: (form: TriggerForm, fieldPath: string) => void
}

const HINTS: Record<Scope, string> = {
  NO_TRIGGER: 'Runs only when somebody starts it.',
  Or: 'Any one of these actions starts a run.',
  And: 'A run starts once every one of these actions has happened.',
}

export function TriggerSection({ form, activities, isDisabled = false, onChange }: TriggerSectionProps) {
  const codes = activities.map((activity) => activity.task_block_trellis_code)
  const cards = listActions(form)
  const [added, setAdded] = useState<string | null>(null)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (added) list.current?.querySelector<HTMLElement>(`[data-card="${added}"] select`)?.focus()
  }, [added])
  const add = () => {
    const id = createActionId(form)
    onChange(addAction(form, id, codes), 'trigger.actions')
    setAdded(id)
  }
  const remove = (id: string) => {
    onChange(removeAction(form, id), 'trigger.actions')
    list.current?.focus()
  }
  return (
    <section className={styles.trigger} aria-labelledby="trigger-details" data-path="trigger">
      <h2 id="trigger-details">Trigger details</h2>
      <Select
        label="Scope"
        hint={HINTS[form.eventEvaluationType]}
        value={form.eventEvaluationType}
        disabled={isDisabled}
        options={SCOPE_NAMES.map((scope) => ({ value: scope, label: SCOPES[scope] }))}
        onChange={(event) => onChange(changeScope(form, event.target.value as Scope), 'trigger.scope')}
      />
      <div ref={list} className={styles.cards} tabIndex={-1} role="group" aria-label="Actions">
        {cards.map(([id, action], index) => (
          <Fragment key={id}>
            {index > 0 && <div className={styles.connector}>{CONNECTORS[form.eventEvaluationType]}</div>}
            <ActionCard
              id={id}
              number={index + 1}
              action={action}
              form={form}
              activities={activities}
              isDisabled={isDisabled}
              canRemove={canRemoveAction(form)}
              onChange={onChange}
              onRemove={() => remove(id)}
            />
          </Fragment>
        ))}
      </div>
      <div>
        <Button icon={<Plus aria-hidden />} disabled={isDisabled || !canAddAction(form, codes)} onClick={add}>
          Add action
        </Button>
      </div>
    </section>
  )
}

function createActionId(form: TriggerForm): string {
  let number = 1
  while (`action-${number}` in form.actions) number += 1
  return `action-${number}`
}
