import Autocomplete from '@mui/material/Autocomplete'
import { ControlBox, Field, type FieldText } from '../forms/Field.tsx'
import forms from '../forms/forms.module.css'
import { MuiScope } from './MuiScope.tsx'

export interface ComboboxOption {
  value: string
  label: string
}

/** Choosing from a long list by typing. For short lists use Select, which costs nothing. */
export function Combobox({
  options,
  value,
  onChange,
  placeholder,
  disabled = false,
  ...text
}: FieldText & {
  options: readonly ComboboxOption[]
  value: string | null
  onChange: (value: string | null) => void
  placeholder?: string
  disabled?: boolean
}) {
  return (
    <MuiScope>
      <Field {...text}>
        {(links) => (
          <Autocomplete
            id={links.id}
            options={options}
            disabled={disabled}
            disablePortal
            value={options.find((option) => option.value === value) ?? null}
            isOptionEqualToValue={(a, b) => a.value === b.value}
            onChange={(_event, option) => onChange(option?.value ?? null)}
            renderInput={({ id, slotProps }) => (
              <ControlBox isInvalid={Boolean(text.error)} isLocked={disabled}>
                <span ref={slotProps.input.ref} className={forms.bare}>
                  <input
                    {...slotProps.htmlInput}
                    id={id}
                    placeholder={placeholder}
                    aria-describedby={links['aria-describedby']}
                    aria-invalid={links['aria-invalid']}
                    className={forms.input}
                  />
                </span>
              </ControlBox>
            )}
          />
        )}
      </Field>
    </MuiScope>
  )
}
