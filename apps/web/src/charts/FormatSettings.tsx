import type { NumberFormat } from '@trellis/contract/charts/charts.schemas'
import { Select } from '../ui/forms/Select.tsx'
import { TextField } from '../ui/forms/TextField.tsx'
import styles from './chart-editor.module.css'

const STYLES = [
  { value: 'number', label: 'Number: 1,234.5' },
  { value: 'compact', label: 'Short: 1.2K' },
  { value: 'percent', label: 'Percent: 0.5 is 50%' },
]

interface FormatSettingsProps {
  format: NumberFormat
  onChange: (format: NumberFormat) => void
}

export function FormatSettings({ format, onChange }: FormatSettingsProps) {
  const set = (change: Partial<NumberFormat>) => onChange({ ...format, ...change })
  return (
    <fieldset className={styles.measures}>
      <legend>Numbers</legend>
      <Select
        label="Format"
        options={STYLES}
        value={format.style}
        onChange={(event) => set({ style: event.target.value as NumberFormat['style'] })}
      />
      <div className={styles.pair}>
        <TextField
          label="Before"
          value={format.prefix}
          maxLength={8}
          onChange={(event) => set({ prefix: event.target.value })}
        />
        <TextField
          label="After"
          value={format.suffix}
          maxLength={8}
          onChange={(event) => set({ suffix: event.target.value })}
        />
        <TextField
          label="Decimals"
          type="number"
          min={0}
          max={6}
          placeholder="Auto"
          value={format.decimals ?? ''}
          onChange={(event) => set({ decimals: toDecimals(event.target.value) })}
        />
      </div>
    </fieldset>
  )
}

const toDecimals = (text: string): number | null =>
  text === '' ? null : Math.max(0, Math.min(6, Math.trunc(Number(text)) || 0))
