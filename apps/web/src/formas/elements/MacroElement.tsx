import { useRef } from 'react'
import { TextField } from '../../ui/forms/TextField.tsx'
import styles from '../formas.module.css'
import type { ElementProps } from '../surroundings.ts'

/** Inserts `{{ name }}` at the caret and replaces the selection. */
function withMacro(text: string, name: string, { from, to }: { from: number; to: number }): string {
  return `${text.slice(0, from)}{{ ${name} }}${text.slice(to)}`
}

export default function MacroElement({ element, value, error, isOptional, isDisabled, ...on }: ElementProps<'macro'>) {
  const input = useRef<HTMLInputElement>(null)
  const text = typeof value === 'string' ? value : ''
  const { macros, placeholder } = element.properties
  const insert = (name: string) => {
    const from = input.current?.selectionStart ?? text.length
    const to = input.current?.selectionEnd ?? from
    on.onChange(withMacro(text, name, { from, to }))
    input.current?.focus()
  }
  return (
    <div className={styles.macro}>
      <TextField
        ref={input}
        isMono
        label={element.label}
        hint={element.help}
        error={error}
        isOptional={isOptional}
        disabled={isDisabled}
        placeholder={placeholder}
        autoComplete="off"
        value={text}
        onBlur={on.onTouch}
        onChange={(event) => on.onChange(event.target.value || undefined)}
      />
      <div className={styles.macros} role="group" aria-label={`Insert into ${element.label}`}>
        {macros.map((macro) => (
          <button
            key={macro.value}
            type="button"
            disabled={isDisabled}
            title={macro.hint ?? macro.label}
            onClick={() => insert(macro.value)}
          >
            {`{{ ${macro.value} }}`}
          </button>
        ))}
      </div>
    </div>
  )
}
