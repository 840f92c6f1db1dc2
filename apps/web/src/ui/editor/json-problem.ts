import type { EditorMark } from './code-editor-props.ts'

/** Where a text stops being JSON. Engines tell the place in different ways; without one it is the beginning. */
export function findJsonProblem(text: string): EditorMark | null {
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    const at = /at position (\d+)/.exec(said)
    const isCut = /end of JSON input/.test(said)
    const before = text.slice(0, isCut ? text.length : Number(at?.[1] ?? 0))
    const line = before.split('\n').length
    const column = before.length - before.lastIndexOf('\n')
    const what = isCut ? 'It ends too early.' : 'Something here does not belong.'
    return { line, column, message: `This is no JSON: line ${line}, column ${column}. ${what}` }
  }
}
