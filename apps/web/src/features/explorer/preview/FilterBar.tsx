import { MAX_FILTERS, type Filter } from '@trellis/contract/explorer/filters'
import { ListFilter, Plus, X } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { Button } from '../../../ui/actions/Button.tsx'
import { formatFilter, typeGroup, type FilterColumn } from './filter-words.ts'
import styles from './preview.module.css'

const FilterForm = lazy(async () => ({ default: (await import('./FilterForm.tsx')).FilterForm }))

interface FilterBarProps {
  columns: readonly FilterColumn[]
  filters: readonly Filter[]
  problem: string | null
  onChange: (filters: readonly Filter[]) => void
}

export function FilterBar({ columns, filters, problem, onChange }: FilterBarProps) {
  const [editing, setEditing] = useState<number | null>(null)
  const bar = useRef<HTMLDivElement>(null)
  const getColumnType = (name: string) => columns.find((column) => column.name === name)?.type ?? 'text'
  const close = () => {
    setEditing(null)
    bar.current?.querySelector<HTMLElement>('[data-add]')?.focus()
  }
  const save = (filter: Filter) => {
    onChange(
      editing === filters.length
        ? [...filters, filter]
        : filters.map((candidate, index) => (index === editing ? filter : candidate)),
    )
    close()
  }
  return (
    <div ref={bar} className={styles.filters}>
      <ListFilter aria-hidden className={styles.filterIcon} />
      {filters.length > 0 && (
        <ul aria-label="Filters" className={styles.chips}>
          {filters.map((filter, index) => {
            const text = formatFilter(filter, typeGroup(getColumnType(filter.column)))
            return (
              <li
                key={`${index} ${text}`}
                className={styles.chip}
                data-wrong={problem?.includes(`"${filter.column}"`) || undefined}
              >
                <button type="button" title="Change this filter" onClick={() => setEditing(index)}>
                  {text}
                </button>
                <button
                  type="button"
                  aria-label={`Remove filter ${text}`}
                  onClick={() => {
                    setEditing(null)
                    onChange(filters.filter((_, other) => other !== index))
                  }}
                >
                  <X aria-hidden />
                </button>
              </li>
            )
          })}
        </ul>
      )}
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus aria-hidden />}
        data-add
        disabled={columns.length === 0 || filters.length >= MAX_FILTERS}
        aria-expanded={editing !== null}
        onClick={() => setEditing(editing === null ? filters.length : null)}
      >
        Add filter
      </Button>
      {filters.length > 1 && (
        <Button size="sm" variant="ghost" onClick={() => onChange([])}>
          Clear all
        </Button>
      )}
      {editing !== null && (
        <Suspense>
          <FilterForm key={editing} columns={columns} filter={filters[editing]} onSave={save} onClose={close} />
        </Suspense>
      )}
      {problem && (
        <p role="alert" className={styles.wrong}>
          {problem} Change or remove the filter to see its rows.
        </p>
      )}
    </div>
  )
}
