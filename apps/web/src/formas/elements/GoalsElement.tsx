import { GoalItem } from '@trellis/contract/formas/forma-rules'
import { Plus, Trash2 } from 'lucide-react'
import * as z from 'zod/mini'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { FieldError } from '../../ui/forms/Field.tsx'
import styles from '../formas.module.css'
import type { ElementProps } from '../surroundings.ts'
import { ChoiceInput } from './ChoiceInput.tsx'
import { listFreeChoices } from './rows.ts'
import { useChoices } from './use-choices.ts'

export default function GoalsElement({ element, value, error, isOptional, isDisabled, ...on }: ElementProps<'goals'>) {
  const { choices, isOpen, problem } = useChoices(element.properties)
  const parsed = z.safeParse(z.array(GoalItem), value)
  const goals = parsed.success ? parsed.data.map(({ goalEvent }) => goalEvent) : []
  const { most } = element.properties
  const isFull = most !== undefined && goals.length >= most
  const hasFree = isOpen || choices.some((choice) => !goals.includes(choice.value))
  const put = (next: readonly string[]) => on.onChange(next.map((goalEvent) => ({ goalEvent })))
  return (
    <fieldset className={styles.choices}>
      <legend>
        {element.label}
        {isOptional && <span className={styles.optional}>optional</span>}
      </legend>
      {element.help && <p className={styles.help}>{element.help}</p>}
      <ol className={styles.rows}>
        {goals.map((goal, row) => (
          <li key={row}>
            <ChoiceInput
              label={`Goal ${row + 1}`}
              choices={listFreeChoices(choices, goals, goal)}
              isOpen={isOpen}
              value={goal}
              isDisabled={isDisabled}
              onChange={(next) => put(goals.with(row, next))}
              onTouch={on.onTouch}
            />
            <IconButton
              label={`Delete goal ${row + 1}`}
              icon={<Trash2 aria-hidden />}
              disabled={isDisabled}
              onClick={() => put(goals.toSpliced(row, 1))}
            />
          </li>
        ))}
      </ol>
      <div className={styles.rowsFoot}>
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          disabled={isDisabled || isFull || !hasFree}
          onClick={() => put([...goals, ''])}
        >
          Add goal
        </Button>
        {most !== undefined && (
          <span className={styles.help}>
            {goals.length} of {most}
          </span>
        )}
      </div>
      {problem && <p className={styles.help}>{problem}</p>}
      <FieldError text={error} />
    </fieldset>
  )
}
