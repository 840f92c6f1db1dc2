import { useEffect, useRef, useState } from 'react'
import styles from './editor.module.css'
import type { RunRequest, WorksheetEditorProps } from './worksheet-editor-props.ts'

/** For phones, where Monaco does not work well. */
export default function PlainWorksheetEditor({ label, readText, onType, onRun, requestRef }: WorksheetEditorProps) {
  const textAreaRef = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(readText)
  useEffect(() => {
    requestRef.current = (extent) =>
      extent === 'all' ? readAll(textAreaRef.current) : readRequest(textAreaRef.current)
  }, [requestRef])
  return (
    <textarea
      ref={textAreaRef}
      aria-label={label}
      className={styles.plain}
      spellCheck={false}
      autoCapitalize="off"
      autoCorrect="off"
      value={text}
      onChange={({ target: { value } }) => {
        setText(value)
        onType(() => value)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || (!event.ctrlKey && !event.metaKey)) return
        event.preventDefault()
        onRun(readRequest(textAreaRef.current))
      }}
    />
  )
}

const readAll = (textAreaRef: HTMLTextAreaElement | null): RunRequest => {
  const text = textAreaRef?.value ?? ''
  return { text, sql: text, offset: 0 }
}

function readRequest(textAreaRef: HTMLTextAreaElement | null): RunRequest {
  const text = textAreaRef?.value ?? ''
  const { selectionStart: start = 0, selectionEnd: end = 0 } = textAreaRef ?? {}
  return start === end
    ? { text, sql: text, offset: 0, cursor: start }
    : { text, sql: text.slice(start, end), offset: start }
}
