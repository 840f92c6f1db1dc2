import type { ColumnKind } from '@trellis/contract/sql/sql.schemas'
import type { ResultRows } from '../../sql.queries.ts'

interface RowOrder {
  readonly column: number
  readonly direction: 'asc' | 'desc'
  readonly kind: ColumnKind
}

/** Stable; NULL last in both directions. */
export function sortRows(
  rows: ResultRows,
  { column, direction, kind }: RowOrder,
  among: readonly number[] = rows.map((_, index) => index),
): number[] {
  const compare = kind === 'integer' || kind === 'decimal' ? compareNumbers : compareTexts
  const sign = direction === 'asc' ? 1 : -1
  return among.toSorted((item, other) => {
    const [a, b] = [rows[item]?.[column] ?? null, rows[other]?.[column] ?? null]
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    return sign * compare(a, b)
  })
}

const collator = new Intl.Collator(undefined, { numeric: true })
const compareTexts = (a: string, b: string): number => collator.compare(a, b)

/** Beyond double precision, compares digits. */
function compareNumbers(a: string, b: string): number {
  const difference = Number(a) - Number(b)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  const sign = a.startsWith('-') && b.startsWith('-') ? -1 : 1
  return sign * (a.length - b.length || (a < b ? -1 : a > b ? 1 : 0))
}
