/** Follows `data.items[].id`; `[]` spreads a list. Missing parts yield nothing. */
export function getValues(value: unknown, path: string): unknown[] {
  if (path === '') return [value]
  return path.split('.').reduce<unknown[]>((found, part) => found.flatMap((item) => getPathStep(item, part)), [value])
}

export const getValue = (value: unknown, path: string): unknown => getValues(value, path)[0]

export function getRecords(answer: unknown, path: string): unknown[] {
  const found = getValues(answer, path)
  return found.flatMap((item) =>
    Array.isArray(item) ? (item as unknown[]) : item === null || item === undefined ? [] : [item],
  )
}

/** A field by path, or by a name that itself contains dots. */
export function getField(record: unknown, path: string): unknown {
  if (typeof record === 'object' && record !== null && Object.hasOwn(record, path)) {
    return (record as Record<string, unknown>)[path]
  }
  return path.includes('.') || path.includes('[') ? getValue(record, path) : undefined
}

function getPathStep(value: unknown, part: string): unknown[] {
  const [, name = '', index] = /^(.*?)(?:\[(\d*)\])?$/.exec(part) ?? []
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  const found = (value as Record<string, unknown>)[name]
  if (index === undefined) return [found]
  if (!Array.isArray(found)) return []
  if (index === '') return found as unknown[]
  const item: unknown = found[Number(index)]
  return item === undefined ? [] : [item]
}
