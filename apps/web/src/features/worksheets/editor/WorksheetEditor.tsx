import { useEffect, useRef } from 'react'
import { attachAssist } from '../../../ui/editor/assist.ts'
import { editor, MarkerSeverity, themeNow } from '../../../ui/editor/monaco.ts'
import { addActions, formatText, readAll, readRequest } from './editor-actions.ts'
import styles from './editor.module.css'
import { markRunning } from './mark-running.ts'
import { EDITOR_OPTIONS } from './settings/editor-options.ts'
import type { WorksheetEditorProps } from './worksheet-editor-props.ts'

/** The text is set once: use a `key` per file. */
export default function WorksheetEditor(props: WorksheetEditorProps) {
  const containerRef = useRef<HTMLDivElement>(null)
  const shown = useRef<editor.IStandaloneCodeEditor | null>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (!containerRef.current) return undefined
    const createdEditor = editor.create(containerRef.current, {
      ...EDITOR_OPTIONS,
      value: latest.current.readText(),
      language: 'pgsql',
      theme: themeNow(),
      ariaLabel: latest.current.label,
    })
    shown.current = createdEditor
    const { requestRef, handleRef } = latest.current
    requestRef.current = (extent) => (extent === 'all' ? readAll(createdEditor) : readRequest(createdEditor))
    handleRef.current = {
      format: () => formatText(createdEditor, latest.current.settings),
      focus: () => createdEditor.focus(),
    }
    const read = () => createdEditor.getValue()
    createdEditor.onDidChangeModelContent(() => latest.current.onType(read))
    addActions(createdEditor, () => latest.current)
    createdEditor.focus()
    return () => {
      // The last keystrokes may not have been read yet.
      const last = createdEditor.getValue()
      latest.current.onType(() => last)
      createdEditor.getModel()?.dispose()
      createdEditor.dispose()
      shown.current = null
      handleRef.current = null
    }
  }, [])

  const { marks, assist, settings } = props
  const { autocomplete } = settings
  useEffect(() => {
    shown.current?.updateOptions(toOptions(settings))
    shown.current?.getModel()?.updateOptions({ tabSize: settings.tab_size })
  }, [settings])
  useEffect(() => {
    const createdEditor = shown.current
    const model = createdEditor?.getModel()
    if (!createdEditor || !model) return undefined
    const detach = attachAssist(model, assist, editor.setModelMarkers)
    const unmark = markRunning(createdEditor, assist)
    return () => {
      detach()
      unmark()
    }
  }, [assist])
  useEffect(() => {
    shown.current?.updateOptions({ quickSuggestions: autocomplete, suggestOnTriggerCharacters: autocomplete })
  }, [autocomplete])
  useEffect(() => {
    const model = shown.current?.getModel()
    if (!model) return
    editor.setModelMarkers(
      model,
      'trellis',
      marks.map(({ line, column, message }) => ({
        severity: MarkerSeverity.Error,
        message,
        startLineNumber: line,
        endLineNumber: line,
        startColumn: column,
        endColumn: Math.max(column + 1, model.getWordAtPosition({ lineNumber: line, column })?.endColumn ?? 0),
      })),
    )
    const [first] = marks
    if (first) shown.current?.revealLineInCenterIfOutsideViewport(first.line)
  }, [marks])

  return <div ref={containerRef} className={styles.monaco} />
}

const toOptions = (settings: WorksheetEditorProps['settings']): editor.IEditorOptions => ({
  fontSize: settings.font_size,
  lineHeight: Math.round(settings.font_size * 1.54),
  wordWrap: settings.word_wrap ? 'on' : 'off',
  minimap: { enabled: settings.minimap },
  lineNumbers: settings.line_numbers ? 'on' : 'off',
})
