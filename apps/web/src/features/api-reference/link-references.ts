type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

/** Inlines `$ref`s. Recursive schemas become cyclic objects. */
export function linkReferences(document: unknown): unknown {
  const find = (path: string) =>
    path
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, key) => (isTree(node) ? node[key] : undefined), document)
  const linked = new Map<object, unknown>()

  function link(value: unknown): unknown {
    if (!isTree(value)) return value
    if (linked.has(value)) return linked.get(value)
    if (typeof value['$ref'] === 'string') {
      linked.set(value, {})
      const target = link(find(value['$ref']))
      linked.set(value, target)
      return target
    }
    const copy: Tree | unknown[] = Array.isArray(value) ? [] : {}
    linked.set(value, copy)
    for (const [key, one] of Object.entries(value)) Object.assign(copy, { [key]: link(one) })
    return copy
  }

  return link(document)
}
