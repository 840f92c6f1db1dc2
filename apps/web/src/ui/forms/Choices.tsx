import { useEffect, useId, useRef, type ComponentProps, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import styles from './forms.module.css'

type Native = Omit<ComponentProps<'input'>, 'type' | 'className'>

interface ChoiceText {
  label: ReactNode
  hint?: ReactNode
}

/** A hint inside the label would be read as part of the name: it describes the input instead. */
function Choice({
  label,
  hint,
  ...input
}: ChoiceText & Native & { type: 'checkbox' | 'radio'; className: string | undefined }) {
  const id = useId()
  const naming = hint ? { 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-hint` } : {}
  return (
    <label className={styles.choice}>
      <input {...naming} {...input} />
      <span className={styles.choiceText}>
        <span id={`${id}-label`}>{label}</span>
        {hint && (
          <span id={`${id}-hint`} className={styles.hint}>
            {hint}
          </span>
        )}
      </span>
    </label>
  )
}

export function Checkbox({ label, hint, isPartly = false, ...input }: ChoiceText & { isPartly?: boolean } & Native) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = isPartly
  }, [isPartly])
  return <Choice label={label} hint={hint} ref={box} {...input} type="checkbox" className={styles.box} />
}

export function Switch({ label, hint, ...input }: ChoiceText & Native) {
  return <Choice label={label} hint={hint} {...input} type="checkbox" role="switch" className={styles.switch} />
}

export interface RadioOption extends ChoiceText {
  value: string
  isDisabled?: boolean
}

export function RadioGroup({
  label,
  options,
  value,
  onChange,
}: {
  label: string
  options: readonly RadioOption[]
  value: string
  onChange: (value: string) => void
}) {
  const name = useId()
  return (
    <fieldset className={styles.group}>
      <legend className={styles.label}>{label}</legend>
      {options.map((option) => (
        <Choice
          key={option.value}
          label={option.label}
          hint={option.hint}
          type="radio"
          name={name}
          value={option.value}
          checked={option.value === value}
          disabled={option.isDisabled ?? false}
          onChange={() => onChange(option.value)}
          className={classNames(styles.box, styles.radio)}
        />
      ))}
    </fieldset>
  )
}
