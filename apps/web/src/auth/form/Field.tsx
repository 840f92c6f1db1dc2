import type { InputHTMLAttributes, ReactNode } from 'react'
import { useHeldWhilePressed } from '../../ui/forms/pointer-press.ts'
import type { AuthForm } from './use-auth-form.ts'
import styles from './form.module.css'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'form' | 'id' | 'className'> {
  form: AuthForm
  name: string
  label: string
  hint?: string | undefined
  /** Beside the label; after the field in tab order. */
  aside?: ReactNode
  end?: ReactNode
  describedBy?: string | undefined
  isCode?: boolean
}

export function Field({ form, name, label, hint, aside, end, describedBy, isCode, ...input }: FieldProps) {
  const id = form.toFieldId(name)
  const error = form.errors[name]
  const shown = useHeldWhilePressed(error, undefined)
  const note = shown ?? hint
  const described = [note && `${id}-note`, describedBy].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.control}>
        <input
          {...input}
          id={id}
          name={name}
          className={[styles.input, end && styles.withEnd, isCode && styles.code].filter(Boolean).join(' ')}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          readOnly={input.readOnly || form.isBusy}
        />
        {end}
      </div>
      {aside && <div className={styles.aside}>{aside}</div>}
      <p
        id={`${id}-note`}
        className={shown ? `${styles.note} ${styles.error}` : styles.note}
        role={shown ? 'alert' : undefined}
      >
        {note}
      </p>
    </div>
  )
}
