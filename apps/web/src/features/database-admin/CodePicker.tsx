import { useState } from 'react'
import { Checkbox } from '../../ui/forms/Choices.tsx'
import { SearchField } from '../../ui/forms/SearchField.tsx'
import styles from './database-admin.module.css'

interface PickerOption {
  code: string
  label: string
  note?: string | undefined
}

interface PickerProps {
  label: string
  options: readonly PickerOption[]
  value: readonly string[]
  onChange: (codes: string[]) => void
  none: string
  isDisabled?: boolean
}

const SEARCH_FROM = 8

export function CodePicker({ label, options, value, onChange, none, isDisabled = false }: PickerProps) {
  const [searchText, setSearchText] = useState('')
  const pickerOptions = options.filter((option) =>
    `${option.label} ${option.note ?? ''}`.toLowerCase().includes(searchText.trim().toLowerCase()),
  )
  const toggle = (code: string, isOn: boolean) =>
    onChange(isOn ? [...value, code] : value.filter((item) => item !== code))
  return (
    <fieldset className={styles.picker} disabled={isDisabled}>
      <legend>
        {label}
        {value.length > 0 && <span className={styles.note}>{` ${value.length} chosen`}</span>}
      </legend>
      {options.length >= SEARCH_FROM && (
        <SearchField
          label={`Search ${label.toLowerCase()}`}
          value={searchText}
          onChange={(event) => setSearchText(event.target.value)}
        />
      )}
      {options.length === 0 && <p className={styles.note}>{none}</p>}
      {options.length > 0 && pickerOptions.length === 0 && (
        <p className={styles.note}>Nothing found for “{searchText}”.</p>
      )}
      <div className={styles.pickerList}>
        {pickerOptions.map((pickerOption) => (
          <Checkbox
            key={pickerOption.code}
            label={pickerOption.label}
            hint={pickerOption.note}
            checked={value.includes(pickerOption.code)}
            onChange={(event) => toggle(pickerOption.code, event.target.checked)}
          />
        ))}
      </div>
    </fieldset>
  )
}
