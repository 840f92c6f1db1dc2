import type { EditorAssist } from '../../../../ui/editor/assist.ts'
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
  completions?: readonly Completion[]
  assist?: EditorAssist
  isReadOnly?: boolean
  onChange: (text: string) => void
}

const NO_COMPLETIONS: readonly Completion[] = []

export function CodeField({
  path,
  label,
  hint,
  language,
  value,
  placeholder,
  height,
  completions = NO_COMPLETIONS,
  assist,
  isReadOnly = false,
  onChange,
}: CodeProps) {
  const { faultAt, touch, isDisabled } = useDraft()
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
        isReadOnly={isDisabled || isReadOnly}
        completions={completions}
        assist={assist}
        onChange={onChange}
        onBlur={() => touch(path)}
      />
      {hint && <p className={styles.soft}>{hint}</p>}
      <FieldError text={faultAt(path)} />
    </div>
  )
}
