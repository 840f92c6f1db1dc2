import { type EditorAssist, toEditorText, toRange } from '../../../ui/editor/assist.ts'
import type { editor } from '../../../ui/editor/monaco.ts'
import styles from './editor.module.css'

const MOVED_PAUSE_MS = 60
/** Completion requests must not queue behind this one. */
const TYPED_PAUSE_MS = 200

export function markRunning(codeEditor: editor.IStandaloneCodeEditor, assist: EditorAssist): () => void {
  const lines = codeEditor.createDecorationsCollection()
  let timer: ReturnType<typeof setTimeout> | undefined
  let requestCount = 0
  const mark = async () => {
    const model = codeEditor.getModel()
    const selection = codeEditor.getSelection()
    requestCount += 1
    const number = requestCount
    if (!model || !selection || !selection.isEmpty()) return lines.clear()
    const span = await assist
      .findStatement(toEditorText(model), model.getOffsetAt(selection.getPosition()))
      .catch(() => null)
    if (number !== requestCount || model.isDisposed()) return
    if (!span || span.end > model.getValueLength()) return lines.clear()
    const options = { isWholeLine: true, linesDecorationsClassName: styles['willRun'] ?? '' }
    lines.set([{ range: toRange(model, span.start, span.end) as never, options }])
  }
  const later = (pauseMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void mark(), pauseMs)
  }
  const moving = codeEditor.onDidChangeCursorSelection(({ modelVersionId, oldModelVersionId }) =>
    later(modelVersionId === oldModelVersionId ? MOVED_PAUSE_MS : TYPED_PAUSE_MS),
  )
  later(MOVED_PAUSE_MS)
  return () => {
    clearTimeout(timer)
    requestCount += 1
    moving.dispose()
    lines.clear()
  }
}
