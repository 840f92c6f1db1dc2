import type { Option } from './Select.tsx'
import styles from './compact-select.module.css'

/** A choice in a toolbar or a table, named for screen readers only. */
export function CompactSelect<V extends string>({
  label,
  value,
  options,
  onChange,
  isDisabled = false,
}: {
  label: string
  value: V
  options: readonly (Option & { value: V })[]
  onChange: (value: V) => void
  isDisabled?: boolean
}) {
  return (
    <select
      aria-label={label}
      className={styles.select}
      value={value}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.value as V)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} disabled={option.isDisabled ?? false}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
