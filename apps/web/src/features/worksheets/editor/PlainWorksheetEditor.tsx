import { useEffect, useRef, useState } from 'react'
import styles from './editor.module.css'
import type { RunRequest, WorksheetEditorProps } from './worksheet-editor-props.ts'

/** For phones, where Monaco does not work well. */
export default function PlainWorksheetEditor({ label, readText, onType, onRun, requestRef }: WorksheetEditorProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(readText)
  useEffect(() => {
    requestRef.current = (what) => (what === 'all' ? readAll(box.current) : readRequest(box.current))
  }, [requestRef])
  return (
    <textarea
      ref={box}
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
        onRun(readRequest(box.current))
      }}
    />
  )
}

const readAll = (box: HTMLTextAreaElement | null): RunRequest => {
  const text = box?.value ?? ''
  return { text, sql: text, offset: 0 }
}

function readRequest(box: HTMLTextAreaElement | null): RunRequest {
  const text = box?.value ?? ''
  const { selectionStart: start = 0, selectionEnd: end = 0 } = box ?? {}
  return start === end
    ? { text, sql: text, offset: 0, cursor: start }
    : { text, sql: text.slice(start, end), offset: start }
}
