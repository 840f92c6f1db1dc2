import { TIMEZONE_OPTIONS } from '@trellis/contract/dataflows/schedules'
import { Select } from '../../../../ui/forms/Select.tsx'
import { getOwnZone } from '../../own-zone.ts'
import type { CardFields } from './trigger-fields.ts'

interface ZoneProps {
  name: 'timezone' | 'timeStandard'
  label: string
  value: string
  fields: CardFields
  onChange: (zone: string) => void
}

/** Includes the browser's zone, and the current one of an imported dataflow. */
export function ZoneField({ name, label, value, fields, onChange }: ZoneProps) {
  const offeredTimezoneOptions: readonly string[] = TIMEZONE_OPTIONS
  const zones = [...new Set([...offeredTimezoneOptions, getOwnZone(), ...(value === '' ? [] : [value])])]
  return (
    <Select
      label={label}
      placeholder="Choose a time zone…"
      value={value}
      disabled={fields.isDisabled}
      error={fields.getError(name)}
      options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      onBlur={() => fields.touch(name)}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
