import { useEffect, useRef } from 'react'
import styles from './suggestion-list.module.css'

export interface ListedSuggestion {
  readonly id: string
  readonly label: string
  readonly note: string
}

interface SuggestionListProps<Item extends ListedSuggestion> {
  id: string
  label: string
  items: readonly Item[]
  active: number
  isAbove?: boolean
  onPick: (item: Item) => void
}

export const toOptionId = (id: string, at: number): string => `${id}-${at}`

/** Suggestions for a place in a text. The field keeps focus: its `aria-activedescendant` names the active option. */
export function SuggestionList<Item extends ListedSuggestion>(props: SuggestionListProps<Item>) {
  const { id, label, items, active, isAbove = false, onPick } = props
  const current = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const list = current.current?.parentElement
    // Otherwise opening the list would scroll the page.
    if (list && list.scrollHeight > list.clientHeight) current.current?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div id={id} role="listbox" aria-label={label} data-above={isAbove || undefined} className={styles.list}>
      {items.map((item, at) => (
        <div
          key={item.id}
          ref={at === active ? current : undefined}
          id={toOptionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.option}
          onPointerDown={(event) => {
            // Keeps focus in the field.
            event.preventDefault()
            onPick(item)
          }}
        >
          <span>{item.label}</span>
          <span className={styles.note}>{item.note}</span>
        </div>
      ))}
    </div>
  )
}
