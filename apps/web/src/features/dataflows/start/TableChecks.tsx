import { useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { SearchField } from '../../../ui/forms/SearchField.tsx'
import { MAX_SUBTASKS } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { TableChoice } from './start-plan.ts'
import styles from './start.module.css'

interface ChecksProps {
  label: string
  choices: readonly TableChoice[]
  selected: readonly string[]
  isLoading: boolean
  error: Error | null
  refetch: () => unknown
  onChange: (selected: readonly string[]) => void
}

const MAX_SHOWN = 200
const MIN_TO_SEARCH = 8

export function TableChecks({ label, choices, selected, isLoading, error, refetch, onChange }: ChecksProps) {
  const [search, setSearch] = useState('')
  if (isLoading) return <Skeleton height={200} />
  if (error)
    return (
      <Banner
        tone="danger"
        title="The tables could not be listed"
        action={
          <Button size="sm" onClick={() => void refetch()}>
            Retry
          </Button>
        }
      >
        {error.message}
      </Banner>
    )
  const words = search.trim().toLowerCase()
  const tableChoices = choices.filter(({ key, label: name }) => `${key} ${name}`.toLowerCase().includes(words))
  const offeredTableChoices = tableChoices.slice(0, MAX_SHOWN)
  const groups = [...new Set(offeredTableChoices.map(({ group }) => group))]
  const isFull = selected.length >= MAX_SUBTASKS
  const toggle = (key: string) =>
    onChange(selected.includes(key) ? selected.filter((item) => item !== key) : [...selected, key])
  const all = tableChoices.slice(0, MAX_SUBTASKS).map(({ key }) => key)
  const hasAll = all.length > 0 && all.every((key) => selected.includes(key))
  return (
    <fieldset className={styles.tables}>
      <legend>{label}</legend>
      <div className={styles.tablesHead}>
        {choices.length >= MIN_TO_SEARCH && (
          <SearchField label="Search tables" value={search} onChange={(event) => setSearch(event.target.value)} />
        )}
        {tableChoices.length > 1 && (
          <Button size="sm" variant="ghost" onClick={() => onChange(hasAll ? [] : all)}>
            {hasAll ? 'Clear' : 'Choose all'}
          </Button>
        )}
      </div>
      <div className={styles.tableList}>
        {groups.map((group) => (
          <div key={group} role={group === '' ? undefined : 'group'} aria-label={group || undefined}>
            {group !== '' && <h4>{group}</h4>}
            {offeredTableChoices
              .filter((tableChoice) => tableChoice.group === group)
              .map(({ key, label: name, note }) => (
                <label key={key} className={styles.tableLine}>
                  <input
                    type="checkbox"
                    checked={selected.includes(key)}
                    disabled={isFull && !selected.includes(key)}
                    onChange={() => toggle(key)}
                  />
                  <span>{name}</span>
                  <small>{note}</small>
                </label>
              ))}
          </div>
        ))}
        {tableChoices.length === 0 && (
          <p className={styles.soft}>
            {choices.length === 0 ? 'There is nothing to read here.' : `Nothing found for “${search}”.`}
          </p>
        )}
      </div>
      {tableChoices.length > MAX_SHOWN && (
        <p className={styles.soft}>{tableChoices.length - MAX_SHOWN} more; search to find them.</p>
      )}
    </fieldset>
  )
}
