import { useState } from 'react'
import { TextField } from '../../../../ui/forms/TextField.tsx'

/** Invalid input keeps the last number. */
export function NumberField({
  label,
  hint,
  value,
  min,
  max,
  isDisabled,
  onChange,
}: {
  label: string
  hint?: string
  value: number
  min: number
  max: number
  isDisabled: boolean
  onChange: (value: number) => void
}) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? String(value)
  const isFit = /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max
  return (
    <TextField
      label={label}
      hint={hint}
      inputMode="numeric"
      value={text}
      disabled={isDisabled}
      error={isFit ? undefined : `Enter a whole number from ${min} to ${max.toLocaleString('en-US')}.`}
      onBlur={() => setTyped(null)}
      onChange={(event) => {
        const next = event.target.value.trim()
        setTyped(next)
        if (/^\d+$/.test(next) && Number(next) >= min && Number(next) <= max) onChange(Number(next))
      }}
    />
  )
}
