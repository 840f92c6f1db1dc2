import { FIRST_DIMENSION, MAX_DIMENSIONS } from '@trellis/contract/formas/forma'
import { DimensionItem } from '@trellis/contract/formas/forma-rules'
import { Plus, Trash2 } from 'lucide-react'
import * as z from 'zod/mini'
import { Button } from '../../ui/actions/Button.tsx'
import { IconButton } from '../../ui/actions/IconButton.tsx'
import { FieldError } from '../../ui/forms/Field.tsx'
import styles from '../formas.module.css'
import type { ElementProps } from '../surroundings.ts'
import { ChoiceInput } from './ChoiceInput.tsx'
import { listFreeChoices, toRowLetter, withDate } from './rows.ts'
import { useChoices } from './use-choices.ts'

type Item = z.infer<typeof DimensionItem>

const FIRST: Item = { dimension: FIRST_DIMENSION, actionEvent: '' }

export default function DimensionsElement({ element, value, error, isDisabled, ...on }: ElementProps<'dimensions'>) {
  const { choices, isOpen, problem } = useChoices(element.properties)
  const parsed = z.safeParse(z.array(DimensionItem), value)
  const items = parsed.success && parsed.data.length > 0 ? parsed.data : [FIRST]
  const taken = items.map(({ dimension }) => dimension)
  const { events } = element.properties
  const all = withDate(choices)
  const hasFree = isOpen || all.some((choice) => !taken.includes(choice.value))
  const put = (row: number, change: Partial<Item>) =>
    on.onChange(items.map((item, at) => (at === row ? { ...item, ...change } : item)))
  return (
    <fieldset className={styles.choices}>
      <legend>{element.label}</legend>
      {element.help && <p className={styles.help}>{element.help}</p>}
      <ol className={styles.rows}>
        {items.map((item, row) => (
          <li key={row}>
            <span className={styles.letter} aria-hidden>
              {toRowLetter(row)}
            </span>
            <ChoiceInput
              label={`Dimension ${toRowLetter(row)}`}
              choices={listFreeChoices(all, taken, item.dimension)}
              isOpen={isOpen && row > 0}
              value={item.dimension}
              isDisabled={isDisabled || row === 0}
              onChange={(dimension) => put(row, { dimension })}
              onTouch={on.onTouch}
            />
            {events.length > 0 && (
              <ChoiceInput
                label={`Action event ${toRowLetter(row)}`}
                placeholder="Any event"
                choices={events}
                value={item.actionEvent}
                isDisabled={isDisabled}
                onChange={(actionEvent) => put(row, { actionEvent })}
                onTouch={on.onTouch}
              />
            )}
            {row === 0 ? (
              <span className={styles.noButton} />
            ) : (
              <IconButton
                label={`Delete dimension ${toRowLetter(row)}`}
                icon={<Trash2 aria-hidden />}
                disabled={isDisabled}
                onClick={() => on.onChange(items.filter((_, at) => at !== row))}
              />
            )}
          </li>
        ))}
      </ol>
      <div className={styles.rowsFoot}>
        <Button
          size="sm"
          icon={<Plus aria-hidden />}
          disabled={isDisabled || items.length >= MAX_DIMENSIONS || !hasFree}
          onClick={() => on.onChange([...items, { dimension: '', actionEvent: '' }])}
        >
          Add dimension
        </Button>
        <span className={styles.help}>
          {items.length} of {MAX_DIMENSIONS}
        </span>
      </div>
      {problem && <p className={styles.help}>{problem}</p>}
      <FieldError text={error} />
    </fieldset>
  )
}
