import type { FormEvent } from 'react'
import { Field } from './Field.tsx'
import type { FieldProps } from './Field.tsx'

/** One field, so that phones offer the code and "123 456" can be pasted. */
export function CodeField(props: FieldProps) {
  const removeNonDigits = ({ currentTarget }: FormEvent<HTMLInputElement>) => {
    const digits = currentTarget.value.replace(/\D/g, '').slice(0, 6)
    if (digits !== currentTarget.value) currentTarget.value = digits
  }
  return (
    <Field
      {...props}
      isCode
      inputMode="numeric"
      autoComplete="one-time-code"

      onInput={removeNonDigits}
    />
  )
}
