import { type RefObject, useEffect, useRef } from 'react'
import type { Completion, EditorMark } from '../../../ui/editor/code-editor-props.ts'
import { setCompletions } from '../../../ui/editor/completions.ts'
import { editor, KeyCode, KeyMod, MarkerSeverity, themeNow } from '../../../ui/editor/monaco.ts'
import styles from './editor.module.css'

/** What is run, taken from the editor itself: the screen may not have heard of the last keystroke yet. */
export interface RunRequest {
  /** The whole text. */
  readonly text: string
  /** What is sent of it, and where that begins. */
  readonly sql: string
  readonly offset: number
  /** Only the statement here; all of them without it. */
  readonly cursor?: number
}

export interface WorksheetEditorProps {
  label: string
  value: string
  isReadOnly: boolean
  marks: readonly EditorMark[]
  completions: readonly Completion[]
  onChange: (value: string) => void
  onRun: (request: RunRequest) => void
  onExplain: (request: RunRequest) => void
  onSave: () => void
  /** Tells buttons outside of the editor what it would run now. */
  requestRef: RefObject<(what: 'statement' | 'all') => RunRequest>
}

/** The text is set once: who shows another file gives another key. */
export default function WorksheetEditor(props: WorksheetEditorProps) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef<editor.IStandaloneCodeEditor | null>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })

  useEffect(() => {
    if (!box.current) return undefined
    const made = editor.create(box.current, {
      ...OPTIONS,
      value: latest.current.value,
      language: 'pgsql',
      theme: themeNow(),
      ariaLabel: latest.current.label,
      readOnly: latest.current.isReadOnly,
    })
    shown.current = made
    const { requestRef } = latest.current
    requestRef.current = (what) => (what === 'all' ? readAll(made) : readRequest(made))
    made.onDidChangeModelContent(() => latest.current.onChange(made.getValue()))
    const actions: { id: string; label: string; keybindings: number[]; run: () => void }[] = [
      {
        id: 'trellis.run',
        label: 'Run statement or selection',
        keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
        run: () => latest.current.onRun(readRequest(made)),
      },
      {
        id: 'trellis.run-all',
        label: 'Run all',
        keybindings: [KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter],
        run: () => latest.current.onRun(readAll(made)),
      },
      {
        id: 'trellis.explain',
        label: 'Explain statement',
        keybindings: [KeyMod.CtrlCmd | KeyMod.Alt | KeyCode.Enter],
        run: () => latest.current.onExplain(readRequest(made)),
      },
      {
        id: 'trellis.save',
        label: 'Save',
        keybindings: [KeyMod.CtrlCmd | KeyCode.KeyS],
        run: () => latest.current.onSave(),
      },
    ]
    for (const action of actions) made.addAction(action)
    made.focus()
    return () => {
      made.getModel()?.dispose()
      made.dispose()
      shown.current = null
    }
  }, [])

  const { marks, completions } = props
  useEffect(() => {
    const model = shown.current?.getModel()
    if (model) setCompletions(model, completions)
  }, [completions])
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

  return <div ref={box} className={styles.monaco} />
}

/** A selection by itself, else the statement at the cursor. */
function readRequest(made: editor.IStandaloneCodeEditor): RunRequest {
  const text = made.getValue()
  const model = made.getModel()
  const selection = made.getSelection()
  if (!model || !selection) return { text, sql: text, offset: 0 }
  if (selection.isEmpty()) return { text, sql: text, offset: 0, cursor: model.getOffsetAt(selection.getPosition()) }
  return { text, sql: model.getValueInRange(selection), offset: model.getOffsetAt(selection.getStartPosition()) }
}

const readAll = (made: editor.IStandaloneCodeEditor): RunRequest => {
  const text = made.getValue()
  return { text, sql: text, offset: 0 }
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
  tabSize: 2,
  fixedOverflowWidgets: true,
  contextmenu: false,
}
