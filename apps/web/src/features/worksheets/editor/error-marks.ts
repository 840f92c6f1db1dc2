import type { SqlJob } from '@trellis/contract/sql/sql.schemas'
import type { EditorMark } from '../../../ui/editor/code-editor-props.ts'

/** `offset`: where the submitted text begins in the editor, NaN when it is not there. */
export function listErrorMarks(job: SqlJob | null, text: string, offset: number): EditorMark[] {
  if (Number.isNaN(offset)) return []
  return (job?.statements ?? []).flatMap(({ problem }) => {
    if (!problem || problem.position === null) return []
    const before = text.slice(0, offset + problem.position).split('\n')
    return [{ line: before.length, column: (before.at(-1) ?? '').length + 1, message: problem.message }]
  })
}
