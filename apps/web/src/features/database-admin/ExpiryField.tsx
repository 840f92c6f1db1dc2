import { DateField } from '../../ui/dates/DateField.tsx'
import { localTime, parseLocalTime } from './expiry.ts'

interface ExpiryProps {
  label?: string
  hint?: string
  value: string | null
  onChange: (instant: string | null) => void
  isDisabled?: boolean
}

/** In the browser's time zone; empty means no expiry. */
export function ExpiryField({
  label = 'Works until',
  hint = 'Empty: until it is revoked.',
  value,
  onChange,
  isDisabled = false,
}: ExpiryProps) {
  return (
    <DateField
      label={label}
      hint={hint}
      isOptional
      defaultTime="23:59"
      disabled={isDisabled}
      value={localTime(value)}
      onChange={(time) => onChange(parseLocalTime(time))}
    />
  )
}
