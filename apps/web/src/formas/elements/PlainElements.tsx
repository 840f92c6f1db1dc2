import { useState } from 'react'
import { Button } from '../../ui/actions/Button.tsx'
import { Switch } from '../../ui/forms/Choices.tsx'
import { Field } from '../../ui/forms/Field.tsx'
import { PasswordField, TextArea, TextField } from '../../ui/forms/TextField.tsx'
import styles from '../formas.module.css'
import type { ElementProps } from '../surroundings.ts'

const toText = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

export function TextElement({ element, value, error, isOptional, isDisabled, ...on }: ElementProps<'text'>) {
  const { placeholder, is_multiline } = element.properties
  const common = {
    label: element.label,
    hint: element.help,
    error,
    isOptional,
    disabled: isDisabled,
    placeholder,
    value: toText(value),
    onBlur: on.onTouch,
    spellCheck: false,
    autoComplete: 'off',
  }
  return is_multiline ? (
    <TextArea {...common} onChange={(event) => on.onChange(event.target.value)} />
  ) : (
    <TextField {...common} onChange={(event) => on.onChange(event.target.value)} />
  )
}

/** A stored secret is never shown; it can be replaced, and the replacement cancelled. */
export function SecretElement({
  element,
  value,
  error,
  isOptional,
  isDisabled,
  isKept,
  ...on
}: ElementProps<'secret'>) {
  const [wasKept] = useState(isKept)
  const { placeholder, is_multiline } = element.properties
  const text = { label: element.label, hint: element.help, error, isOptional }
  if (isKept) {
    return (
      <Field {...text}>
        {(links) => (
          <span className={styles.kept}>
            <input {...links} readOnly value="Kept, never shown" />
            <Button size="sm" disabled={isDisabled} onClick={() => on.onReplace(true)}>
              Replace
            </Button>
          </span>
        )}
      </Field>
    )
  }
  const input = {
    ...text,
    placeholder,
    disabled: isDisabled,
    value: toText(value),
    autoComplete: 'new-password',
    onBlur: on.onTouch,
  }
  return (
    <>
      {is_multiline ? (
        <TextArea {...input} spellCheck={false} onChange={(event) => on.onChange(event.target.value)} />
      ) : (
        <PasswordField {...input} onChange={(event) => on.onChange(event.target.value)} />
      )}
      {wasKept && (
        <Button size="sm" variant="ghost" className={styles.callOff} onClick={() => on.onReplace(false)}>
          Keep the old one
        </Button>
      )}
    </>
  )
}

/** Invalid numbers stay text, for the validation message. */
function parseNumber(text: string): number | string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const value = Number(trimmed)
  return Number.isFinite(value) ? value : trimmed
}

export function NumberElement({ element, value, error, isOptional, isDisabled, ...on }: ElementProps<'number'>) {
  const [typed, setTyped] = useState(() => toText(value))
  const text = parseNumber(typed) === value ? typed : toText(value)
  const { unit } = element.properties
  return (
    <TextField
      label={element.label}
      hint={element.help}
      error={error}
      isOptional={isOptional}
      disabled={isDisabled}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      end={unit ? <span className={styles.unit}>{unit}</span> : undefined}
      onBlur={on.onTouch}
      onChange={(event) => {
        setTyped(event.target.value)
        on.onChange(parseNumber(event.target.value))
      }}
    />
  )
}

export function BooleanElement({ element, value, isDisabled, onChange, onTouch }: ElementProps<'boolean'>) {
  return (
    <Switch
      label={element.label}
      hint={element.help}
      checked={value === true}
      disabled={isDisabled}
      onBlur={onTouch}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}
