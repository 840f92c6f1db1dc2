export const UNSTORABLE_TEXT = 'A value has characters that can not be stored.'

/** Postgres stores neither NUL nor lone surrogates, and NUL truncates a statement. */
const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

interface Node {
  readonly value: unknown
  readonly key: string
  readonly parent: Node | undefined
}

/** Iterative, since bodies can be deeper than the stack; keeps parent links, as paths per level would be quadratic. */
export function findUnstorableText(value: unknown): string[] | undefined {
  const open: Node[] = [{ value, key: '', parent: undefined }]
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.value === 'string' && isUnstorable(node.value)) return pathTo(node)
    if (typeof node.value !== 'object' || node.value === null) continue
    for (const [key, inner] of Object.entries(node.value)) {
      if (isUnstorable(key)) return pathTo(node)
      open.push({ value: inner, key, parent: node })
    }
  }
  return undefined
}

function pathTo(node: Node): string[] {
  const path: string[] = []
  for (let at: Node | undefined = node; at?.parent; at = at.parent) path.unshift(at.key)
  return path
}
