import styles from './comments.module.css'
import type { Mentionable } from './mention-text.ts'

interface PeopleListProps {
  id: string
  people: readonly Mentionable[]
  active: number
  onPick: (person: Mentionable) => void
}

export const toOptionId = (id: string, at: number): string => `${id}-${at}`

/** The input keeps focus: `aria-activedescendant` names the active option. */
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
            // Keeps focus in the field.
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
