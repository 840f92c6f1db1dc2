import { callWorker } from '../../../sql-language/worker/sql-client.ts'
import { type editor, KeyCode, KeyMod } from '../../../ui/editor/monaco.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'
import type { RunRequest, WorksheetEditorProps } from './worksheet-editor-props.ts'

type Editor = editor.IStandaloneCodeEditor

interface Action {
  id: string
  label: string
  keybindings: number[]
  run: () => void
}

export function addActions(codeEditor: Editor, latest: () => WorksheetEditorProps): void {
  const save = async () => {
    if (latest().settings.format_on_save) await formatText(codeEditor, latest().settings)
    latest().onSave()
  }
  // An open suggestion list would cover the results.
  const run = (start: () => void) => {
    codeEditor.trigger('trellis', 'hideSuggestWidget', null)
    start()
  }
  const actions: Action[] = [
    {
      id: 'trellis.run',
      label: 'Run statement or selection',
      keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
      run: () => run(() => latest().onRun(readRequest(codeEditor))),
    },
    {
      id: 'trellis.run-all',
      label: 'Run all',
      keybindings: [KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter],
      run: () => run(() => latest().onRun(readAll(codeEditor))),
    },
    {
      id: 'trellis.explain',
      label: 'Explain statement',
      keybindings: [KeyMod.CtrlCmd | KeyMod.Alt | KeyCode.Enter],
      run: () => run(() => latest().onExplain(readRequest(codeEditor))),
    },
    { id: 'trellis.save', label: 'Save', keybindings: [KeyMod.CtrlCmd | KeyCode.KeyS], run: () => void save() },
    {
      id: 'trellis.format',
      label: 'Format',
      keybindings: [KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF],
      run: () => void formatText(codeEditor, latest().settings),
    },
    { id: 'trellis.help', label: 'Keyboard shortcuts', keybindings: [KeyCode.F1], run: () => latest().onHelp() },
  ]
  for (const action of actions) codeEditor.addAction(action)
}

export async function formatText(
  codeEditor: Editor,
  { tab_size: tabSize, keyword_case: keywordCase }: WorksheetEditorProps['settings'],
): Promise<void> {
  const model = codeEditor.getModel()
  if (!model) return
  const sql = model.getValue()
  const formatted = await callWorker('format', { sql, options: { tabSize, keywordCase } })
  if ('problem' in formatted) showToast({ tone: 'danger', text: formatted.problem })
  else if (!model.isDisposed() && model.getValue() === sql) replaceText(codeEditor, formatted.text)
}

/** One edit, so that one undo reverts it. */
function replaceText(codeEditor: Editor, text: string): void {
  const model = codeEditor.getModel()
  if (!model || model.getValue() === text) return
  codeEditor.pushUndoStop()
  codeEditor.executeEdits('format', [{ range: model.getFullModelRange(), text }])
  codeEditor.pushUndoStop()
}

export function readRequest(codeEditor: Editor): RunRequest {
  const text = codeEditor.getValue()
  const model = codeEditor.getModel()
  const selection = codeEditor.getSelection()
  if (!model || !selection) return { text, sql: text, offset: 0 }
  if (selection.isEmpty()) return { text, sql: text, offset: 0, cursor: model.getOffsetAt(selection.getPosition()) }
  return { text, sql: model.getValueInRange(selection), offset: model.getOffsetAt(selection.getStartPosition()) }
}

export const readAll = (codeEditor: Editor): RunRequest => {
  const text = codeEditor.getValue()
  return { text, sql: text, offset: 0 }
}
