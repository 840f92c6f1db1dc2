import { Eye, EyeOff } from 'lucide-react'
import { useState, type ComponentProps, type ReactNode } from 'react'
import { IconButton } from '../actions/IconButton.tsx'
import { classNames } from '../class-names.ts'
import { ControlBox, Field, type FieldText } from './Field.tsx'
import styles from './forms.module.css'

type Native = Omit<ComponentProps<'input'>, 'id' | 'size'>

export function TextField({
  label,
  hint,
  error,
  isOptional = false,
  start,
  end,
  isMono = false,
  className,
  ...input
}: FieldText & { start?: ReactNode; end?: ReactNode; isMono?: boolean } & Native) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(links) => (
        <ControlBox isInvalid={Boolean(error)} isLocked={Boolean(input.disabled ?? input.readOnly)}>
          {start && <span className={styles.start}>{start}</span>}
          <input
            type="text"
            {...input}
            {...links}
            className={classNames(styles.input, isMono && styles.mono, className)}
          />
          {end && <span className={styles.end}>{end}</span>}
        </ControlBox>
      )}
    </Field>
  )
}

export function PasswordField(props: FieldText & Native) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      spellCheck={false}
      autoCapitalize="none"
      {...props}
      type={isShown ? 'text' : 'password'}
      end={
        <IconButton
          size="sm"
          label={isShown ? 'Hide password' : 'Show password'}
          icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          onClick={() => setShown(!isShown)}
        />
      }
    />
  )
}

export function TextArea({
  label,
  hint,
  error,
  isOptional = false,
  rows = 4,
  ...input
}: FieldText & Omit<ComponentProps<'textarea'>, 'id'>) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(links) => (
        <ControlBox
          className={styles.area}
          isInvalid={Boolean(error)}
          isLocked={Boolean(input.disabled ?? input.readOnly)}
        >
          <textarea {...input} {...links} rows={rows} className={styles.input} />
        </ControlBox>
      )}
    </Field>
  )
}
