import { CircleAlert } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './forms.module.css'
import { useHeldWhilePressed } from './pointer-press.ts'

export interface FieldText {
  label: string
  hint?: ReactNode
  error?: string | undefined
  isOptional?: boolean
}

interface FieldLinks {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** Label, hint and error around one control, tied together for screen readers. */
export function Field({
  label,
  hint,
  error,
  isOptional,
  children,
}: FieldText & { children: (links: FieldLinks) => ReactNode }) {
  const id = useId()
  const noteId = `${id}-note`
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
        {isOptional && <span className={styles.optional}>optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': error || hint ? noteId : undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldNote id={noteId} hint={hint} error={error} />
    </div>
  )
}

/** A problem of several controls together; nothing when there is none. */
export function FieldError({ id, text }: { id?: string; text: string | undefined }) {
  const shown = useHeldWhilePressed(text, undefined)
  return shown ? <ErrorText id={id} text={shown} /> : null
}

function ErrorText({ id, text }: { id: string | undefined; text: string }) {
  return (
    <span id={id} className={styles.error} role="alert">
      <CircleAlert aria-hidden />
      {text}
    </span>
  )
}

function FieldNote({ id, hint, error }: { id: string; hint: ReactNode; error: string | undefined }) {
  const shown = useHeldWhilePressed(error, undefined)
  if (shown) return <ErrorText id={id} text={shown} />
  return hint ? (
    <span id={id} className={styles.hint}>
      {hint}
    </span>
  ) : null
}

/** The framed box that text inputs and selects share. */
export function ControlBox({
  isInvalid,
  isLocked,
  className,
  children,
}: {
  isInvalid: boolean
  isLocked: boolean
  className?: string | undefined
  children: ReactNode
}) {
  return (
    <span className={classNames(styles.control, className)} data-invalid={isInvalid} data-locked={isLocked}>
      {children}
    </span>
  )
}
