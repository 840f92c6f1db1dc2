import { ChevronsUpDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classNames } from '../class-names.ts'
import { ControlBox, Field, type FieldText } from './Field.tsx'
import styles from './forms.module.css'

export interface Option {
  value: string
  label: string
  isDisabled?: boolean
}

/** The platform's own list: it works with touch, screen readers and typing ahead everywhere. */
export function Select({
  label,
  hint,
  error,
  isOptional = false,
  options,
  placeholder,
  ...select
}: FieldText & { options: readonly Option[]; placeholder?: string } & Omit<
    ComponentProps<'select'>,
    'id' | 'children'
  >) {
  return (
    <Field label={label} hint={hint} error={error} isOptional={isOptional}>
      {(links) => (
        <ControlBox isInvalid={Boolean(error)} isLocked={Boolean(select.disabled)}>
          <select {...select} {...links} className={classNames(styles.input, styles.select)}>
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.isDisabled ?? false}>
                {option.label}
              </option>
            ))}
          </select>
          <ChevronsUpDown aria-hidden className={styles.chevron} />
        </ControlBox>
      )}
    </Field>
  )
}
