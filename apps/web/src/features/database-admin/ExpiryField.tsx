import { TextField } from '../../ui/forms/TextField.tsx'
import { localTime, timeOfLocal } from './expiry.ts'

interface ExpiryProps {
  label?: string
  hint?: string
  value: string | null
  onChange: (instant: string | null) => void
  isDisabled?: boolean
}

/** A day and time in the reader's own zone; empty means no end. */
export function ExpiryField({
  label = 'Works until',
  hint = 'Empty: until it is revoked.',
  value,
  onChange,
  isDisabled = false,
}: ExpiryProps) {
  return (
    <TextField
      label={label}
      hint={hint}
      isOptional
      type="datetime-local"
      disabled={isDisabled}
      value={localTime(value)}
      onChange={(event) => onChange(timeOfLocal(event.target.value))}
    />
  )
}
