import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { searchRows } from '../../../../ui/data/table-view.ts'
import { SearchField } from '../../../../ui/forms/SearchField.tsx'
import { findNextIndex } from '../../../../ui/overlays/menu-keys.ts'
import styles from './dialogs.module.css'

interface ChoiceOption {
  key: string
  label: string
  note?: string | undefined
  icon?: ReactNode
  isDisabled?: boolean
}

interface ChoiceListProps {
  label: string
  choices: readonly ChoiceOption[]
  none: string
  onChoose: (key: string) => void
  isSearched?: boolean
}

export function ChoiceList({ label, choices, none, onChoose, isSearched = choices.length > 5 }: ChoiceListProps) {
  const [query, setQuery] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const shownChoosables = searchRows(choices, (choosable) => `${choosable.label} ${choosable.note ?? ''}`, query)
  const onKeyDown = (event: KeyboardEvent) => {
    const lines = [...(list.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const index = lines.indexOf(document.activeElement as HTMLElement)
    const first = shownChoosables.find((choosable) => !choosable.isDisabled)
    if (event.key === 'Enter' && index === -1 && first) onChoose(first.key)
    else {
      const next = findNextIndex(
        event.key,
        index,
        shownChoosables.map((choosable) => !choosable.isDisabled),
      )
      if (next === undefined || (index === -1 && (event.key === 'Home' || event.key === 'End'))) return
      lines[next]?.focus()
    }
    event.preventDefault()
  }
  return (
    <div role="presentation" onKeyDown={onKeyDown}>
      {isSearched && (
        <SearchField
          label={`Search ${label.toLowerCase()}`}
          value={query}
          data-autofocus
          onChange={(event) => setQuery(event.target.value)}
        />
      )}
      <div ref={list} role="group" aria-label={label} className={styles.choices}>
        {shownChoosables.map((choosable, index) => (
          <button
            key={choosable.key}
            type="button"
            className={styles.choice}
            disabled={choosable.isDisabled}
            data-autofocus={(!isSearched && index === 0) || undefined}
            onClick={() => onChoose(choosable.key)}
          >
            {choosable.icon}
            <span className={styles.choiceText}>
              {choosable.label}
              {choosable.note && <small>{choosable.note}</small>}
            </span>
          </button>
        ))}
        {shownChoosables.length === 0 && (
          <p className={styles.none}>{query ? `Nothing found for “${query}”.` : none}</p>
        )}
      </div>
    </div>
  )
}
