import { Check, Circle } from 'lucide-react'
import styles from './forms.module.css'

interface RuleListProps {
  label: string
  value: string
  rules: readonly { text: string; isMet: (value: string) => boolean }[]
}

/** The parts of a rule, each ticked off while it is typed. */
export function RuleList({ label, value, rules }: RuleListProps) {
  return (
    <ul className={styles.rules} aria-label={label}>
      {rules.map(({ text, isMet }) => {
        const isDone = isMet(value)
        return (
          <li key={text} data-met={isDone}>
            {isDone ? <Check aria-hidden /> : <Circle aria-hidden />}
            {text}
            {isDone && <span className="visually-hidden">, done</span>}
          </li>
        )
      })}
    </ul>
  )
}
