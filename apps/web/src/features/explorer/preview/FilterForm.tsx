import type { Filter } from '@trellis/contract/explorer/filters'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { TextArea, TextField } from '../../../ui/forms/TextField.tsx'
import { needsValue, OPERATORS, describeOperator, typeGroup, type FilterColumn } from './filter-words.ts'
import styles from './preview.module.css'

interface FilterFormProps {
  columns: readonly FilterColumn[]
  filter: Filter | undefined
  onSave: (filter: Filter) => void
  onClose: () => void
}

const BOOLEANS = [
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
]

export function FilterForm({ columns, filter, onSave, onClose }: FilterFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const draft = useDraft(columns, filter)
  useEffect(() => form.current?.querySelector<HTMLElement>('select')?.focus(), [])
  return (
    <div
      role="presentation"
      className={styles.popover}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <form
        ref={form}
        aria-label={filter ? 'Change filter' : 'New filter'}
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (draft.isReady) onSave(draft.filter)
        }}
      >
        <Select
          label="Column"
          value={draft.column}
          options={columns.map((column) => ({ value: column.name, label: column.name }))}
          onChange={(event) => draft.setColumn(event.target.value)}
        />
        <Select
          label="Condition"
          value={draft.operator}
          options={OPERATORS[draft.group].map((item) => ({ value: item, label: describeOperator(item, draft.group) }))}
          onChange={(event) => draft.setOperator(event.target.value as Filter['operator'])}
        />
        {needsValue(draft.operator) && <Value draft={draft} />}
        <div className={styles.formActions}>
          <Button size="sm" onClick={onClose}>
            Cancel
          </Button>
          <Button size="sm" variant="primary" type="submit" disabled={!draft.isReady}>
            Apply
          </Button>
        </div>
      </form>
    </div>
  )
}

function useDraft(columns: readonly FilterColumn[], filter: Filter | undefined) {
  const [column, setColumn] = useState(filter?.column ?? columns[0]?.name ?? '')
  const [selected, setOperator] = useState(filter?.operator)
  const [typed, setValue] = useState(filter?.value ?? '')
  const type = columns.find((filterColumn) => filterColumn.name === column)?.type ?? 'text'
  const group = typeGroup(type)
  const allowed = OPERATORS[group]
  const operator = selected && allowed.includes(selected) ? selected : (allowed[0] ?? 'eq')
  const value = group === 'boolean' && typed === '' ? 'true' : typed
  const newFilter: Filter = { column, operator, ...(needsValue(operator) && { value }) }
  return {
    column,
    type,
    group,
    operator,
    value,
    filter: newFilter,
    isReady: !needsValue(operator) || value.trim() !== '',
    setOperator,
    setValue,
    setColumn: (name: string) => {
      setColumn(name)
      setValue('')
    },
  }
}

function Value({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const { type, group, operator, value, setValue } = draft
  const change = (event: { target: { value: string } }) => setValue(event.target.value)
  if (group === 'boolean') return <Select label="Value" value={value} options={BOOLEANS} onChange={change} />
  if (operator === 'in') return <TextArea label="Values" hint="One per line" rows={3} value={value} onChange={change} />
  if (type === 'date') return <DateField label="Value" value={value} onChange={setValue} />
  if (type.startsWith('timestamp')) {
    return <DateField label="Value" defaultTime="00:00" value={value} onChange={setValue} />
  }
  return (
    <TextField
      label="Value"
      {...(group === 'number' && { inputMode: 'decimal' as const })}
      {...(type.startsWith('time') && { placeholder: 'HH:mm:ss' })}
      value={value}
      autoComplete="off"
      onChange={change}
    />
  )
}
