import { useState } from 'react'
import { Field } from './Field.tsx'
import type { FieldProps } from './Field.tsx'
import styles from './form.module.css'

export function PasswordField(props: Omit<FieldProps, 'type' | 'end'>) {
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      spellCheck={false}
      autoCapitalize="none"
      autoCorrect="off"
      end={
        <button
          type="button"
          className={styles.reveal}
          aria-label={isShown ? `Hide ${props.label.toLowerCase()}` : `Show ${props.label.toLowerCase()}`}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <svg
            width="16"
            height="16"
            viewBox="0 0 16 16"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.4"
            aria-hidden="true"
          >
            <path d="M1.5 8S3.9 3.5 8 3.5 14.5 8 14.5 8 12.1 12.5 8 12.5 1.5 8 1.5 8Z" strokeLinejoin="round" />
            <circle cx="8" cy="8" r="2" />
            {isShown && <path d="m2.8 13.2 10.4-10.4" strokeLinecap="round" />}
          </svg>
        </button>
      }
    />
  )
}
