import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { ResultRows } from '../../sql.queries.ts'
import type { PivotSpec } from '../engine/pivot-rows.ts'

const SAMPLE_ROWS = 1000
const MAX_COLUMNS = 30

export function guessPivot(columns: readonly ResultColumn[], rows: ResultRows): PivotSpec {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const counts = columns.map((_, index) => new Set(sample.map((row) => row[index] ?? null)).size)
  const isNumber = (index: number) => columns[index]?.kind === 'integer' || columns[index]?.kind === 'decimal'
  const groups = columns.flatMap((_, index) =>
    !isNumber(index) && (counts[index] ?? 0) < Math.max(2, sample.length) ? [index] : [],
  )
  const [row = 0, ...others] = groups
  const column = others.find((index) => (counts[index] ?? 0) <= MAX_COLUMNS) ?? null
  const value = columns.findIndex(({ name }, index) => isNumber(index) && index !== row && !/(^|_)id$/i.test(name))
  return { row, column, value: value === -1 ? null : value, aggregate: value === -1 ? 'count' : 'sum' }
}
