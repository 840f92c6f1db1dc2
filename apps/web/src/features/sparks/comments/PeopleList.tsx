import styles from './comments.module.css'
import type { Mentionable } from './mention-text.ts'

interface PeopleListProps {
  id: string
  people: readonly Mentionable[]
  active: number
  onPick: (person: Mentionable) => void
}

export const toOptionId = (id: string, at: number): string => `${id}-${at}`

/** The field keeps the focus: the active one is named by `aria-activedescendant`. */
export function PeopleList({ id, people, active, onPick }: PeopleListProps) {
  return (
    <div id={id} role="listbox" aria-label="People" className={styles.people}>
      {people.map((person, at) => (
        <div
          key={person.code}
          id={toOptionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.offered}
          onPointerDown={(event) => {
            // A press must not take the focus from the field.
            event.preventDefault()
            onPick(person)
          }}
        >
          <span>{person.name}</span>
          <span className={styles.facts}>{person.email}</span>
        </div>
      ))}
    </div>
  )
}
