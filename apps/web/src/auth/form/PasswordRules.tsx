import { PASSWORD_RULE, PASSWORD_RULES } from '@trellis/contract/identity/password-rules'
import styles from './form.module.css'

export function PasswordRules({ id, password }: { id: string; password: string }) {
  return (
    <ul id={id} className={styles.rules} aria-label={`Password rule: ${PASSWORD_RULE}`}>
      {PASSWORD_RULES.map(({ text, isMet }) => {
        const isDone = isMet(password)
        return (
          <li key={text} className={isDone ? `${styles.rule} ${styles.met}` : styles.rule}>
            <svg
              width="12"
              height="12"
              viewBox="0 0 12 12"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.5"
              aria-hidden="true"
            >
              {isDone ? (
                <path d="m2 6.4 2.6 2.6L10 3.4" strokeLinecap="round" strokeLinejoin="round" />
              ) : (
                <circle cx="6" cy="6" r="2" />
              )}
            </svg>
            {text}
            {isDone && <span className="visually-hidden">, done</span>}
          </li>
        )
      })}
    </ul>
  )
}
