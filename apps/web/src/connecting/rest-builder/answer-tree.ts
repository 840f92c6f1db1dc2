export interface TreeLine {
  /** As in the manifest: `data.items[].id`. */
  path: string
  depth: number
  name: string
  kind: 'list' | 'object' | 'value'
  text: string
  count: number
}

const MAX_LINES = 400
const MAX_TEXT_LENGTH = 120

/** Opens only the first record of a list. */
export function treeLines(value: unknown, isOpen: (path: string, depth: number) => boolean): TreeLine[] {
  const lines: TreeLine[] = []
  const walk = (node: unknown, { path, name, depth }: { path: string; name: string; depth: number }) => {
    if (lines.length >= MAX_LINES) return
    lines.push(toTreeLine(node, { path, name, depth }))
    if (typeof node !== 'object' || node === null || !isOpen(path, depth)) return
    if (Array.isArray(node)) {
      if (node.length > 0) walk(node[0], { path: `${path}[]`, name: 'first of them', depth: depth + 1 })
      return
    }
    for (const [key, inner] of Object.entries(node)) {
      walk(inner, { path: path === '' ? key : `${path}.${key}`, name: key, depth: depth + 1 })
    }
  }
  walk(value, { path: '', name: 'The whole answer', depth: 0 })
  return lines
}

function toTreeLine(value: unknown, location: { path: string; name: string; depth: number }): TreeLine {
  if (Array.isArray(value)) return { ...location, kind: 'list', count: value.length, text: `${value.length} in a list` }
  if (typeof value === 'object' && value !== null) {
    const count = Object.keys(value).length
    return { ...location, kind: 'object', count, text: `${count} ${count === 1 ? 'field' : 'fields'}` }
  }
  const text = JSON.stringify(value) ?? 'null'
  return {
    ...location,
    kind: 'value',
    count: 0,
    text: text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text,
  }
}

/** Only paths that the manifest's syntax can express. */
export const canPick = ({ kind, path }: TreeLine): boolean =>
  kind === 'list' && /^$|^[\w$@-]+(\[\])?(\.[\w$@-]+(\[\])?)*$/.test(path)
