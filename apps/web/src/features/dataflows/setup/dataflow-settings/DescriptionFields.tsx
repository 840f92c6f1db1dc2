import { useState } from 'react'
import { Button } from '../../../../ui/actions/Button.tsx'
import { Markdown } from '../../../../ui/data/Markdown.tsx'
import { TextArea } from '../../../../ui/forms/TextField.tsx'
import styles from './dataflow-settings.module.css'

const MAX_LENGTH = 50_000

interface FieldsProps {
  text: string
  isDisabled: boolean
  onChange: (text: string) => void
}

export function DescriptionFields({ text, isDisabled, onChange }: FieldsProps) {
  const [isPreview, setPreview] = useState(false)
  return (
    <div className={styles.stack}>
      <div className={styles.end}>
        <Button size="sm" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {isPreview ? 'Write' : 'Preview'}
        </Button>
      </div>
      {isPreview ? (
        <div className={styles.preview} role="region" aria-label="Preview" tabIndex={0}>
          {text.trim() === '' ? <p className={styles.soft}>There is nothing to show yet.</p> : <Markdown text={text} />}
        </div>
      ) : (
        <TextArea
          label="Description"
          hint="Markdown. Say what it is for, who counts on it and whom to ask."
          rows={12}
          maxLength={MAX_LENGTH}
          value={text}
          disabled={isDisabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  )
}
