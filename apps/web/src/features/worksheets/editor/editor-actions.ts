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

export function addActions(made: Editor, latest: () => WorksheetEditorProps): void {
  const save = async () => {
    if (latest().settings.format_on_save) await formatText(made, latest().settings)
    latest().onSave()
  }
  // An open suggestion list would cover the results.
  const run = (start: () => void) => {
    made.trigger('trellis', 'hideSuggestWidget', null)
    start()
  }
  const actions: Action[] = [
    {
      id: 'trellis.run',
      label: 'Run statement or selection',
      keybindings: [KeyMod.CtrlCmd | KeyCode.Enter],
      run: () => run(() => latest().onRun(readRequest(made))),
    },
    {
      id: 'trellis.run-all',
      label: 'Run all',
      keybindings: [KeyMod.CtrlCmd | KeyMod.Shift | KeyCode.Enter],
      run: () => run(() => latest().onRun(readAll(made))),
    },
    {
      id: 'trellis.explain',
      label: 'Explain statement',
      keybindings: [KeyMod.CtrlCmd | KeyMod.Alt | KeyCode.Enter],
      run: () => run(() => latest().onExplain(readRequest(made))),
    },
    { id: 'trellis.save', label: 'Save', keybindings: [KeyMod.CtrlCmd | KeyCode.KeyS], run: () => void save() },
    {
      id: 'trellis.format',
      label: 'Format',
      keybindings: [KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF],
      run: () => void formatText(made, latest().settings),
    },
    { id: 'trellis.help', label: 'Keyboard shortcuts', keybindings: [KeyCode.F1], run: () => latest().onHelp() },
  ]
  for (const action of actions) made.addAction(action)
}

export async function formatText(
  made: Editor,
  { tab_size: tabSize, keyword_case: keywordCase }: WorksheetEditorProps['settings'],
): Promise<void> {
  const model = made.getModel()
  if (!model) return
  const sql = model.getValue()
  const answer = await callWorker('format', { sql, options: { tabSize, keywordCase } })
  if ('problem' in answer) showToast({ tone: 'danger', text: answer.problem })
  else if (!model.isDisposed() && model.getValue() === sql) replaceText(made, answer.text)
}

/** One edit, so that one undo reverts it. */
function replaceText(made: Editor, text: string): void {
  const model = made.getModel()
  if (!model || model.getValue() === text) return
  made.pushUndoStop()
  made.executeEdits('format', [{ range: model.getFullModelRange(), text }])
  made.pushUndoStop()
}

export function readRequest(made: Editor): RunRequest {
  const text = made.getValue()
  const model = made.getModel()
  const selection = made.getSelection()
  if (!model || !selection) return { text, sql: text, offset: 0 }
  if (selection.isEmpty()) return { text, sql: text, offset: 0, cursor: model.getOffsetAt(selection.getPosition()) }
  return { text, sql: model.getValueInRange(selection), offset: model.getOffsetAt(selection.getStartPosition()) }
}

export const readAll = (made: Editor): RunRequest => {
  const text = made.getValue()
  return { text, sql: text, offset: 0 }
}
