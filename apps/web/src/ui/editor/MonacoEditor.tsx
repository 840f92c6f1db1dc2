import { useEffect, useRef } from 'react'
import { attachAssist } from './assist.ts'
import type { CodeEditorProps } from './code-editor-props.ts'
import styles from './editor.module.css'
import { setCompletions } from './completions.ts'
import { editor, MarkerSeverity, themeNow } from './monaco.ts'

const LANGUAGES = { gaql: 'gaql', sql: 'pgsql', json: 'trellis-json', javascript: 'javascript' } as const

export default function MonacoEditor(props: CodeEditorProps) {
  const { label, language, value, placeholder, isReadOnly = false, height, marks = [], completions, assist } = props
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<editor.IStandaloneCodeEditor | null>(null)
  const latest = useRef(props)
  /** Texts passed to onChange that have not come back as `value` yet. */
  const pendingTexts = useRef<string[]>([])
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (!box.current) return undefined
    const { current: first } = latest
    const made = editor.create(box.current, {
      ...OPTIONS,
      value: first.value,
      language: LANGUAGES[first.language],
      theme: themeNow(),
      ariaLabel: first.label,
    })
    shown.current = made
    made.onDidChangeModelContent(() => {
      const text = made.getValue()
      if (text === latest.current.value && pendingTexts.current.length === 0) return
      pendingTexts.current.push(text)
      latest.current.onChange(text)
    })
    made.onDidBlurEditorWidget(() => latest.current.onBlur?.())
    return () => {
      made.getModel()?.dispose()
      made.dispose()
      shown.current = null
    }
  }, [])

  useEffect(() => {
    // What comes back late was typed over meanwhile: setting it again would scramble the text and move the caret.
    const at = pendingTexts.current.indexOf(value)
    pendingTexts.current = pendingTexts.current.slice(at + 1)
    if (at === -1 && shown.current && shown.current.getValue() !== value) {
      shown.current.setValue(value)
      pendingTexts.current = []
    }
  }, [value])
  useEffect(() => {
    shown.current?.updateOptions({ readOnly: isReadOnly, ariaLabel: label, placeholder: placeholder ?? '' })
  }, [isReadOnly, label, placeholder])
  useEffect(() => {
    const model = shown.current?.getModel()
    if (model) editor.setModelLanguage(model, LANGUAGES[language])
  }, [language])
  useEffect(() => {
    const model = shown.current?.getModel()
    if (model) setCompletions(model, completions ?? [])
  }, [completions])
  useEffect(() => {
    const model = shown.current?.getModel()
    if (!model || !assist) return undefined
    return attachAssist(model, assist, editor.setModelMarkers)
  }, [assist])
  useEffect(() => {
    const model = shown.current?.getModel()
    if (!model) return
    const found = marks.map(({ line, column, message }) => ({
      severity: MarkerSeverity.Error,
      message,
      startLineNumber: line,
      endLineNumber: line,
      startColumn: column,
      endColumn: Math.max(column + 1, model.getLineMaxColumn(Math.min(line, model.getLineCount()))),
    }))
    editor.setModelMarkers(model, 'trellis', found)
  }, [marks])

  return <div ref={box} className={styles.monaco} style={{ height }} />
}

const OPTIONS: editor.IStandaloneEditorConstructionOptions = {
  automaticLayout: true,
  minimap: { enabled: false },
  fontFamily: 'var(--font-mono)',
  fontSize: 13,
  lineHeight: 20,
  lineNumbersMinChars: 3,
  lineDecorationsWidth: 8,
  padding: { top: 8, bottom: 8 },
  scrollBeyondLastLine: false,
  renderLineHighlight: 'line',
  overviewRulerLanes: 0,
  wordWrap: 'on',
  tabSize: 2,
  fixedOverflowWidgets: true,
  // A field of a form must be left with Tab; the editor's own keys still indent.
  tabFocusMode: true,
  contextmenu: false,
  scrollbar: { alwaysConsumeMouseWheel: false },
}
