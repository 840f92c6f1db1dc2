/** Follows `data.items[].id`; `[]` spreads a list. Missing parts yield nothing. */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (path === '') return [value]
  return path.split('.').reduce<unknown[]>((found, part) => found.flatMap((one) => stepInto(one, part)), [value])
}

export const valueAt = (value: unknown, path: string): unknown => valuesAt(value, path)[0]

export function recordsAt(answer: unknown, path: string): unknown[] {
  const found = valuesAt(answer, path)
  return found.flatMap((one) =>
    Array.isArray(one) ? (one as unknown[]) : one === null || one === undefined ? [] : [one],
  )
}

/** A field by path, or by a name that itself contains dots. */
export function fieldAt(record: unknown, path: string): unknown {
  if (typeof record === 'object' && record !== null && Object.hasOwn(record, path)) {
    return (record as Record<string, unknown>)[path]
  }
  return path.includes('.') || path.includes('[') ? valueAt(record, path) : undefined
}

function stepInto(value: unknown, part: string): unknown[] {
  const [, name = '', index] = /^(.*?)(?:\[(\d*)\])?$/.exec(part) ?? []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  const found = (value as Record<string, unknown>)[name]
  if (index === undefined) return [found]
  if (!Array.isArray(found)) return []
  if (index === '') return found as unknown[]
  const item: unknown = found[Number(index)]
  return item === undefined ? [] : [item]
}
