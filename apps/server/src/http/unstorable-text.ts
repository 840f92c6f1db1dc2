export const UNSTORABLE_TEXT = 'A value has characters that can not be stored.'

/** Postgres stores neither NUL nor half of a surrogate pair, and NUL cuts a statement off on the wire. */
const isUnstorable = (text: string) => text.includes('\0') || !text.isWellFormed()

interface Node {
  readonly value: unknown
  readonly key: string
  readonly parent: Node | undefined
}

/**
 * The path of the first string that no database could hold. A body of brackets alone nests deeper than calls may, and
 * a path kept with every level of it would take quadratic time.
 */
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
