import styles from '../formas.module.css'
import { withChosen, type Choice } from './use-choices.ts'

interface ChoiceInputProps {
  label: string
  choices: readonly Choice[]
  value: string
  placeholder?: string
  /** Free text, because the options are unknown. */
  isOpen?: boolean
  isDisabled: boolean
  onChange: (value: string) => void
  onTouch: () => void
}

export function ChoiceInput({ label, choices, value, placeholder = 'Choose…', isOpen, ...rest }: ChoiceInputProps) {
  const common = {
    'aria-label': label,
    className: styles.cell,
    disabled: rest.isDisabled,
    value,
    onBlur: rest.onTouch,
  }
  if (isOpen) return <input {...common} onChange={(event) => rest.onChange(event.target.value)} />
  return (
    <select {...common} onChange={(event) => rest.onChange(event.target.value)}>
      <option value="">{placeholder}</option>
      {withChosen(choices, [value]).map((choice) => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
