export interface Sort {
  key: string
  direction: 'asc' | 'desc'
}

type Value = string | number | boolean | Date | null | undefined

function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string')
    return a.localeCompare(b, 'en', { numeric: true, sensitivity: 'base' })
  return Number(a) - Number(b)
}

const isMissing = (value: Value) => value === null || value === undefined || value === ''

/** Sorted copy; equal rows keep their order and rows without a value stay last in both directions. */
export function sortRows<Row>(
  rows: readonly Row[],
  getValue: (row: Row) => Value,
  direction: Sort['direction'],
): Row[] {
  const sign = direction === 'asc' ? 1 : -1
  return rows.toSorted((a, b) => {
    const [left, right] = [getValue(a), getValue(b)]
    if (isMissing(left) || isMissing(right)) return Number(isMissing(left)) - Number(isMissing(right))
    return sign * compare(left, right)
  })
}

/** Every word must occur somewhere in the row's text, in any order. */
export function searchRows<Row>(rows: readonly Row[], getText: (row: Row) => string, query: string): readonly Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter((row) => {
    const text = getText(row).toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** Clicking a header: ascending, then descending, then back to the list's own order. */
export function getNextSort(current: Sort | null, key: string): Sort | null {
  if (current?.key !== key) return { key, direction: 'asc' }
  return current.direction === 'asc' ? { key, direction: 'desc' } : null
}

/** `name` and `-name`, as the sort stands in the address. */
export function parseSort(text: string | null): Sort | null {
  if (!text || text === '-') return null
  return text.startsWith('-') ? { key: text.slice(1), direction: 'desc' } : { key: text, direction: 'asc' }
}

export function formatSort(sort: Sort | null): string | null {
  return sort && (sort.direction === 'desc' ? `-${sort.key}` : sort.key)
}
