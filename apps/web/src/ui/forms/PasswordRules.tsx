import { PASSWORD_RULE } from '@trellis/contract/identity/identity.schemas'
import { Check, Circle } from 'lucide-react'
import styles from './forms.module.css'
import { PASSWORD_RULES } from './password-rules.ts'

/** The parts of the password rule, each ticked off while it is typed. */
export function PasswordRules({ password }: { password: string }) {
  return (
    <ul className={styles.rules} aria-label={`Password rule: ${PASSWORD_RULE}`}>
      {PASSWORD_RULES.map(({ text, isMet }) => {
        const isDone = isMet(password)
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
