import { TIMEZONE_OPTIONS } from '@trellis/contract/dataflows/schedules'
import { Select } from '../../../../ui/forms/Select.tsx'
import type { CardFields } from './trigger-fields.ts'

interface ZoneProps {
  name: 'timezone' | 'timeStandard'
  label: string
  value: string
  fields: CardFields
  onChange: (zone: string) => void
}

/** A zone that came with an imported dataflow stays a choice. */
export function ZoneField({ name, label, value, fields, onChange }: ZoneProps) {
  const offered: readonly string[] = TIMEZONE_OPTIONS
  const zones = value === '' || offered.includes(value) ? offered : [...offered, value]
  return (
    <Select
      label={label}
      placeholder="Choose a time zone…"
      value={value}
      disabled={fields.isDisabled}
      error={fields.errorOf(name)}
      options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      onBlur={() => fields.touch(name)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
