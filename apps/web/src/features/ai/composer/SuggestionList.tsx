import type { Suggestion } from './find-trigger.ts'
import styles from './question-box.module.css'

interface SuggestionListProps {
  id: string
  suggestions: readonly Suggestion[]
  active: number
  onPick: (suggestion: Suggestion) => void
}

export const toOptionId = (id: string, at: number): string => `${id}-${at}`

/** The input keeps focus: `aria-activedescendant` names the active option. */
export function SuggestionList({ id, suggestions, active, onPick }: SuggestionListProps) {
  return (
    <div id={id} role="listbox" aria-label="Suggestions" className={styles.suggestions}>
      {suggestions.map((suggestion, at) => (
        <div
          key={suggestion.id}
          id={toOptionId(id, at)}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          className={styles.suggestion}
          onPointerDown={(event) => {
            // Keeps focus in the field.
            event.preventDefault()
            onPick(suggestion)
          }}
        >
          <span>{suggestion.label}</span>
          <span className={styles.note}>{suggestion.note}</span>
        </div>
      ))}
    </div>
  )
}
