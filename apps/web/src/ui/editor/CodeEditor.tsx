import { lazy, Suspense } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import type { CodeEditorProps } from './code-editor-props.ts'
import styles from './editor.module.css'

const MonacoEditor = lazy(() => import('./MonacoEditor.tsx').catch(() => ({ default: PlainEditor })))

/** Nothing can be typed into Monaco where there are no workers, so a plain box stands in for it. */
const canRunMonaco = typeof Worker === 'function'

/** The editor is large and comes when it is needed; without it, or if it can't be fetched, a plain box does. */
export function CodeEditor(props: CodeEditorProps) {
  const { height = 200 } = props
  if (!canRunMonaco) return <PlainEditor {...props} />
  return (
    <Suspense fallback={<Skeleton height={height} />}>
      <MonacoEditor {...props} height={height} />
    </Suspense>
  )
}

function PlainEditor({ label, value, placeholder, isReadOnly, height = 200, onChange, onBlur }: CodeEditorProps) {
  return (
    <textarea
      aria-label={label}
      className={styles.plain}
      style={{ height }}
      spellCheck={false}
      placeholder={placeholder}
      readOnly={isReadOnly}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    />
  )
}
