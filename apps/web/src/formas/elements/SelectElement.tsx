import { Select } from '../../ui/forms/Select.tsx'
import { TextField } from '../../ui/forms/TextField.tsx'
import type { ElementProps } from '../surroundings.ts'
import { useChoices, withChosen } from './use-choices.ts'

export function SelectElement({ element, value, error, isOptional, isDisabled, ...on }: ElementProps<'select'>) {
  const { choices, isOpen, isLoading, problem } = useChoices(element.properties)
  const chosen = typeof value === 'string' ? value : ''
  const { placeholder = 'Choose…' } = element.properties
  const common = {
    label: element.label,
    error,
    isOptional,
    disabled: isDisabled,
    value: chosen,
    onBlur: on.onTouch,
  }
  if (isOpen) {
    return (
      <TextField
        {...common}
        hint={problem ?? element.help ?? 'Choices are known once the connection works; until then it can be written.'}
        placeholder={element.properties.placeholder}
        autoComplete="off"
        onChange={(event) => on.onChange(event.target.value || undefined)}
      />
    )
  }
  const hint = choices.find((choice) => choice.value === chosen)?.hint ?? element.help
  return (
    <Select
      {...common}
      hint={isLoading ? 'Asking the platform…' : hint}
      placeholder={placeholder}
      options={withChosen(choices, [chosen])}
      onChange={(event) => on.onChange(event.target.value || undefined)}
    />
  )
}
