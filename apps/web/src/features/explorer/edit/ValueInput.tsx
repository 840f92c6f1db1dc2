import type { EditableColumn } from '@trellis/contract/explorer/row-edits.schemas'
import { Field } from '../../../ui/forms/Field.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextField } from '../../../ui/forms/TextField.tsx'
import styles from './edit.module.css'
import { findExample, findInputKind, listChoices } from './value-rules.ts'

interface ValueInputProps {
  column: EditableColumn
  text: string
  isDisabled: boolean
  error: string | undefined
  onChange: (text: string) => void
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Values the control can't show, such as date infinity, are edited as text. */
export function ValueInput({ column, text, isDisabled, error, onChange }: ValueInputProps) {
  const kind = findInputKind(column)
  const shared = { label: 'Value', error: isDisabled ? undefined : error, disabled: isDisabled, value: text }
  if (kind === 'choice') {
    const choices = listChoices(column)
    const options = choices.includes(text) ? choices : ['', ...choices]
    return (
      <Select
        {...shared}
        options={options.map((value) => ({
          value,
          label: value === '' ? 'Choose a value' : value,
          isDisabled: value === '',
        }))}
        onChange={(event) => onChange(event.target.value)}
        data-autofocus
      />
    )
  }
  if (kind === 'lines' || kind === 'json') {
    return (
      <Field label="Value" error={shared.error} hint={column.type.endsWith('[]') ? 'As {1,2,3}' : undefined}>
        {(links) => (
          <textarea
            {...links}
            className={styles.lines}
            rows={kind === 'json' ? 14 : 5}
            spellCheck={false}
            disabled={isDisabled}
            value={text}
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
            data-autofocus
          />
        )}
      </Field>
    )
  }
  const isDay = kind === 'date' && (text === '' || DAY.test(text))
  return (
    <TextField
      {...shared}
      type={isDay ? 'date' : 'text'}
      inputMode={kind === 'number' ? 'decimal' : undefined}
      placeholder={findExample(column.type)}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      data-autofocus
    />
  )
}
