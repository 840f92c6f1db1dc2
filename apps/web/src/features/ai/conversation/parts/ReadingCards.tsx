import { useConversationQuestion, useCanAsk } from '../conversation-question.ts'
import type { PartOf } from './part-kinds.ts'
import styles from './parts.module.css'
import { IgnoredWords } from './Reading.tsx'

export function ReadingCards({ part: { readings, ignored_words } }: { part: PartOf<'readings'> }) {
  const { ask, question, choices } = useConversationQuestion()
  const canAsk = useCanAsk()
  return (
    <div role="group" aria-label="Possible readings" className={styles.reading}>
      <ul className={styles.cards}>
        {readings.map((reading) => (
          <li key={`${reading.summary} ${reading.sql}`}>
            <button
              type="button"
              className={styles.card}
              disabled={!canAsk}
              onClick={() => ask(question, { ...choices, ...reading.choices })}
            >
              <strong>{reading.summary}</strong>
              <code>{reading.sql}</code>
            </button>
          </li>
        ))}
      </ul>
      <IgnoredWords words={ignored_words} />
    </div>
  )
}
