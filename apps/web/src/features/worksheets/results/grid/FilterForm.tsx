import type { ColumnKind } from '@trellis/contract/sql/sql.schemas'
import { useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import type { ColumnStats } from '../engine/column-stats.ts'
import type { ColumnFilter } from '../engine/filter-rows.ts'
import styles from './column-panel.module.css'

interface FilterFormProps {
  kind: ColumnKind
  filter: ColumnFilter | undefined
  topValues: ColumnStats['topValues']
  onChange: (filter: ColumnFilter | null) => void
}

type Choice = 'none' | 'contains' | 'excludes' | 'range' | 'empty' | 'filled' | 'values'

const LABELS: Record<Choice, string> = {
  none: 'All values',
  contains: 'Contains text',
  excludes: 'Does not contain text',
  range: 'From – to',
  empty: 'Is empty',
  filled: 'Is not empty',
  values: 'Is one of these values',
}

export function FilterForm({ kind, filter, topValues, onChange }: FilterFormProps) {
  const [choice, setChoice] = useState<Choice>(() => toChoice(filter))
  const [text, setText] = useState(filter?.kind === 'text' ? filter.text : '')
  const [range, setRange] = useState(filter?.kind === 'range' ? filter : { from: '', to: '' })
  const values = filter?.kind === 'values' ? filter.values : []
  const hasRange = kind === 'integer' || kind === 'decimal' || kind === 'date' || kind === 'timestamp'
  const choices = (Object.keys(LABELS) as Choice[]).filter((name) => name !== 'range' || hasRange)
  const choose = (next: Choice) => {
    setChoice(next)
    if (next === 'empty' || next === 'filled') onChange({ kind: next })
    else if ((next === 'contains' || next === 'excludes') && text !== '') {
      onChange({ kind: 'text', text, isNot: next === 'excludes' })
    } else onChange(null)
  }
  const write = (next: string) => {
    setText(next)
    onChange(next === '' ? null : { kind: 'text', text: next, isNot: choice === 'excludes' })
  }
  const limit = (change: Partial<typeof range>) => {
    const { from, to } = { ...range, ...change }
    setRange({ from, to })
    onChange(from === '' && to === '' ? null : { kind: 'range', from, to })
  }
  const toggle = (value: string | null) => {
    const next = values.includes(value) ? values.filter((item) => item !== value) : [...values, value]
    onChange(next.length === 0 ? null : { kind: 'values', values: next })
  }
  const isTime = kind === 'date' || kind === 'timestamp'
  return (
    <div className={styles.filter}>
      <Select
        label="Filter"
        options={choices.map((value) => ({ value, label: LABELS[value] }))}
        value={choice}
        onChange={(event) => choose(event.target.value as Choice)}
      />
      {(choice === 'contains' || choice === 'excludes') && (
        <TextField label="Text" value={text} onChange={(event) => write(event.target.value)} />
      )}
      {choice === 'range' && (
        <div className={styles.range}>
          <TextField
            label="From"
            type={isTime ? 'date' : 'number'}
            step="any"
            value={range.from}
            onChange={(event) => limit({ from: event.target.value })}
          />
          <TextField
            label="To"
            type={isTime ? 'date' : 'number'}
            step="any"
            value={range.to}
            onChange={(event) => limit({ to: event.target.value })}
          />
        </div>
      )}
      <fieldset className={styles.values}>
        <legend>Most frequent values</legend>
        {topValues.slice(0, 20).map(({ value, count }) => (
          <label key={value ?? '\0'} className={styles.value}>
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={() => {
                setChoice('values')
                toggle(value)
              }}
            />
            <span>{value === null ? <em>NULL</em> : value === '' ? <em>Empty text</em> : value.slice(0, 100)}</span>
            <b>{count.toLocaleString('en-GB')}</b>
          </label>
        ))}
      </fieldset>
      {filter && (
        <Button
          size="sm"
          onClick={() => {
            setText('')
            setRange({ from: '', to: '' })
            choose('none')
          }}
        >
          Clear filter
        </Button>
      )}
    </div>
  )
}

function toChoice(filter: ColumnFilter | undefined): Choice {
  if (!filter) return 'none'
  if (filter.kind === 'text') return filter.isNot ? 'excludes' : 'contains'
  return filter.kind
}
