import { RUN_STATUSES } from '@trellis/contract/dataflows/dataflow-words'
import { RUN_STARTERS } from '@trellis/contract/runs/runs.schemas'
import { X } from 'lucide-react'
import { Button } from '../../../ui/actions/Button.tsx'
import { DateField } from '../../../ui/dates/DateField.tsx'
import { Select } from '../../../ui/forms/Select.tsx'
import { STARTER_LABELS, STATUS_LABELS } from '../run-words.ts'
import styles from '../runs.module.css'
import type { FilterName, useRunFilter } from './run-filter.ts'

export interface NamedBlock {
  task_block_trellis_code: string
  name: string
  waits_for: readonly string[]
}

export function RunFilters({
  filter,
  blocks,
  withDays = true,
}: {
  filter: ReturnType<typeof useRunFilter>
  blocks?: readonly NamedBlock[]
  withDays?: boolean
}) {
  const bind = (name: FilterName) => ({
    value: filter.texts[name],
    onChange: (event: { target: { value: string } }) => filter.setFilter(name, event.target.value),
  })
  const bindDay = (name: 'from' | 'to') => ({
    value: filter.texts[name],
    onChange: (day: string) => filter.setFilter(name, day),
  })
  return (
    <div className={styles.filters} role="group" aria-label="Filter">
      <Select
        label="Status"
        placeholder="Any status"
        options={RUN_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value].label }))}
        {...bind('status')}
      />
      {blocks && (
        <Select
          label="Block"
          placeholder="Every block"
          options={blocks.map(({ task_block_trellis_code, name }) => ({ value: task_block_trellis_code, label: name }))}
          {...bind('block')}
        />
      )}
      <Select
        label="Started by"
        placeholder="Anything"
        options={RUN_STARTERS.map((value) => ({ value, label: STARTER_LABELS[value] }))}
        {...bind('by')}
      />
      {withDays && <DateField label="From" max={filter.texts.to} {...bindDay('from')} />}
      {withDays && <DateField label="To" min={filter.texts.from} {...bindDay('to')} />}
      {filter.isFiltered && (
        <Button variant="ghost" icon={<X aria-hidden />} onClick={filter.clear}>
          Clear
        </Button>
      )}
    </div>
  )
}
