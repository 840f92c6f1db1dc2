export interface JsonNode {
  readonly name: string
  /** The path of `#>`: `{items,0,name}`. */
  readonly path: string
  readonly text: string
  readonly children: readonly JsonNode[]
}

const MAX_CHILDREN = 1000
const MAX_DEPTH = 50

export function parseJsonTree(text: string): JsonNode | null {
  try {
    return toNode(JSON.parse(text), '', [])
  } catch {
    return null
  }
}

function toNode(value: unknown, name: string, keys: readonly string[]): JsonNode {
  const path = `{${keys.map(quoteKey).join(',')}}`
  if (typeof value !== 'object' || value === null || keys.length >= MAX_DEPTH) {
    return { name, path, text: JSON.stringify(value), children: [] }
  }
  const entries = Object.entries(value).slice(0, MAX_CHILDREN)
  const count = Object.keys(value).length
  const text = Array.isArray(value) ? `[${count}]` : `{${count}}`
  return { name, path, text, children: entries.map(([key, child]) => toNode(child, key, [...keys, key])) }
}

const quoteKey = (key: string): string =>
  /^[\w-]+$/.test(key) ? key : `"${key.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** The tree with only the paths to matches; null without a match. */
export function filterJsonTree(node: JsonNode, text: string): JsonNode | null {
  const searchTerm = text.toLowerCase()
  const isFound = node.name.toLowerCase().includes(searchTerm) || node.text.toLowerCase().includes(searchTerm)
  if (isFound && node.children.length === 0) return node
  const children = node.children.flatMap((child) => filterJsonTree(child, text) ?? [])
  if (children.length > 0) return { ...node, children }
  return isFound ? node : null
}
