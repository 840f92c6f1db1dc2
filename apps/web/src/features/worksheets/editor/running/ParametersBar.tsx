import { useId } from 'react'
import { guessType, PARAMETER_TYPES, type ParameterValue } from './parameter-values.ts'
import styles from './running.module.css'
import type { ParameterState } from './use-parameters.ts'

export function ParametersBar({ parameters, onRun }: { parameters: ParameterState; onRun: () => void }) {
  const { names, known, set } = parameters
  return (
    <form
      aria-label="Parameters"
      className={styles.parameters}
      onSubmit={(event) => {
        event.preventDefault()
        onRun()
      }}
    >
      {names.map((name) => (
        <Parameter
          key={name}
          name={name}
          value={known[name] ?? { type: guessType(name), value: '' }}
          onChange={(value) => set(name, value)}
        />
      ))}
      <button type="submit" hidden>
        Run
      </button>
    </form>
  )
}

const INPUT_TYPES: Partial<Record<ParameterValue['type'], string>> = { date: 'date' }
const INPUT_MODES: Partial<Record<ParameterValue['type'], 'numeric' | 'decimal'>> = {
  integer: 'numeric',
  numeric: 'decimal',
}

interface ParameterProps {
  name: string
  value: ParameterValue
  onChange: (value: ParameterValue) => void
}

function Parameter({ name, value, onChange }: ParameterProps) {
  const id = useId()
  const { type, value: text } = value
  const isNull = text === null
  const write = (next: string) => onChange({ type, value: next })
  return (
    <div className={styles.parameter}>
      <label htmlFor={id}>:{name}</label>
      <select
        aria-label={`Type of ${name}`}
        value={type}
        onChange={(event) => onChange({ type: event.target.value as ParameterValue['type'], value: text })}
      >
        {PARAMETER_TYPES.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {type === 'boolean' ? (
        <select id={id} disabled={isNull} value={text ?? ''} onChange={(event) => write(event.target.value)}>
          <option value="">Choose</option>
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : (
        <input
          id={id}
          type={INPUT_TYPES[type] ?? 'text'}
          inputMode={INPUT_MODES[type]}
          disabled={isNull}
          placeholder={isNull ? 'NULL' : undefined}
          value={text ?? ''}
          onChange={(event) => write(event.target.value)}
        />
      )}
      <label className={styles.none}>
        <input
          type="checkbox"
          checked={isNull}
          onChange={(event) => onChange({ type, value: event.target.checked ? null : '' })}
        />
        NULL
      </label>
    </div>
  )
}
