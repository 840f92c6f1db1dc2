import { useDeferredValue } from 'react'
import type { Completion, Language } from '../../../../ui/editor/code-editor-props.ts'
import { CodeEditor } from '../../../../ui/editor/CodeEditor.tsx'
import { FieldError } from '../../../../ui/forms/Field.tsx'
import { useDraft } from '../draft/use-block-draft.ts'
import styles from '../setup.module.css'

interface CodeProps {
  path: string
  label: string
  hint?: string
  language: Language
  value: string
  placeholder?: string
  height?: number
  completions: readonly Completion[]
  onChange: (text: string) => void
}

/** Code of a block. The completions may come late; typing never waits for them. */
export function CodeField({
  path,
  label,
  hint,
  language,
  value,
  placeholder,
  height,
  completions,
  onChange,
}: CodeProps) {
  const { faultAt, touch, isDisabled } = useDraft()
  const late = useDeferredValue(completions)
  return (
    <div className={styles.code} data-path={path}>
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      <CodeEditor
        label={label}
        language={language}
        value={value}
        placeholder={placeholder}
        height={height ?? 260}
        isReadOnly={isDisabled}
        completions={late}
        onChange={onChange}
        onBlur={() => touch(path)}
      />
      {hint && <p className={styles.soft}>{hint}</p>}
      <FieldError text={faultAt(path)} />
    </div>
  )
}
