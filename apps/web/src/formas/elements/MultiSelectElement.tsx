import { useId, useState } from 'react'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import { FieldError } from '../../ui/forms/Field.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import { TextField } from '../../ui/forms/TextField.tsx'
import styles from '../formas.module.css'
import type { ElementProps } from '../surroundings.ts'
import { useChoices, withChosen } from './use-choices.ts'

const SEARCH_FROM = 9
const MAX_SHOWN = 300

export default function MultiSelectElement({
  element,
  value,
  error,
  isOptional,
  isDisabled,
  onChange,
  onTouch,
}: ElementProps<'multi_select'>) {
  const id = useId()
  const [search, setSearch] = useState('')
  const { choices, isOpen, isLoading, problem } = useChoices(element.properties)
  const chosen = Array.isArray(value) ? (value as string[]) : []
  const { most } = element.properties
  if (isOpen) {
    return (
      <TextField
        label={element.label}
        hint={problem ?? 'Write them with commas between.'}
        error={error}
        isOptional={isOptional}
        disabled={isDisabled}
        value={chosen.join(', ')}
        onBlur={onTouch}
        onChange={(event) => onChange(event.target.value.split(',').map((item) => item.trim()))}
      />
    )
  }
  const all = withChosen(choices, chosen)
  const words = search.trim().toLowerCase()
  const found = all.filter(({ label, value: one }) => `${label} ${one}`.toLowerCase().includes(words))
  const toggle = (item: string) => {
    onTouch()
    onChange(chosen.includes(item) ? chosen.filter((other) => other !== item) : [...chosen, item])
  }
  return (
    <fieldset className={styles.choices} aria-describedby={`${id}-note`}>
      <legend>
        {element.label}
        {isOptional && <span className={styles.optional}>optional</span>}
      </legend>
      {all.length >= SEARCH_FROM && (
        <SearchField
          label={`Search ${element.label.toLowerCase()}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      <div className={styles.choiceList}>
        {found.slice(0, MAX_SHOWN).map((choice) => (
          <Checkbox
            key={choice.value}
            label={choice.label}
            hint={choice.hint}
            checked={chosen.includes(choice.value)}
            disabled={isDisabled || (most !== undefined && chosen.length >= most && !chosen.includes(choice.value))}
            onChange={() => toggle(choice.value)}
          />
        ))}
        {found.length === 0 && !isLoading && <p className={styles.none}>Nothing found for “{search}”.</p>}
        {isLoading && <p className={styles.none}>Asking the platform…</p>}
      </div>
      <p id={`${id}-note`} className={styles.help}>
        {chosen.length} of {all.length} chosen{most === undefined ? '' : `, at most ${most}`}
        {element.help && `. ${element.help}`}
      </p>
      <FieldError text={error} />
    </fieldset>
  )
}
