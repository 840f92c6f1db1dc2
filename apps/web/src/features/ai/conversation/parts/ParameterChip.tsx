import type { Chip } from '@trellis/contract/ai/message-parts.schemas'
import { Pencil } from 'lucide-react'
import { useId, useState } from 'react'
import { useCanAsk } from '../conversation-question.ts'
import styles from './parts.module.css'

const MAX_VALUE = 500

interface ParameterChipProps {
  chip: Chip
  onChoose: (value: string) => void
}

export function ParameterChip({ chip: { label, value, options }, onChoose }: ParameterChipProps) {
  const canAsk = useCanAsk()
  const list = useId()
  const [draft, setDraft] = useState<string | null>(value === '' ? '' : null)
  if (draft === null || !canAsk) {
    const text = (
      <>
        <span className={styles.chipKind}>{label}</span> {value || '(no value)'}
      </>
    )
    if (!canAsk) return <span className={styles.chip}>{text}</span>
    return (
      <button
        type="button"
        aria-label={`Change ${label}: ${value}`}
        className={styles.chip}
        onClick={() => setDraft(value)}
      >
        {text}
        <Pencil aria-hidden />
      </button>
    )
  }
  return (
    <form
      className={styles.chip}
      onSubmit={(event) => {
        event.preventDefault()
        const inputText = draft.trim()
        if (inputText !== '' && inputText !== value) onChoose(inputText)
        else if (value !== '') setDraft(null)
      }}
    >
      <label className={styles.chipField}>
        <span className={styles.chipKind}>{label}</span>
        <input
          autoFocus
          list={list}
          maxLength={MAX_VALUE}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && value !== '') setDraft(null)
          }}
        />
      </label>
      <datalist id={list}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </datalist>
      <button type="submit">Apply</button>
    </form>
  )
}
