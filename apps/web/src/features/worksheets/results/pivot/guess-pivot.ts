import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import type { ResultRows } from '../../sql.queries.ts'
import type { PivotSpec } from '../engine/pivot-rows.ts'

const SAMPLE_ROWS = 1000
const MAX_COLUMNS = 30

export function guessPivot(columns: readonly ResultColumn[], rows: ResultRows): PivotSpec {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const counts = columns.map((_, at) => new Set(sample.map((row) => row[at] ?? null)).size)
  const isNumber = (at: number) => columns[at]?.kind === 'integer' || columns[at]?.kind === 'decimal'
  const groups = columns.flatMap((_, at) =>
    !isNumber(at) && (counts[at] ?? 0) < Math.max(2, sample.length) ? [at] : [],
  )
  const [row = 0, ...others] = groups
  const column = others.find((at) => (counts[at] ?? 0) <= MAX_COLUMNS) ?? null
  const value = columns.findIndex(({ name }, at) => isNumber(at) && at !== row && !/(^|_)id$/i.test(name))
  return { row, column, value: value === -1 ? null : value, aggregate: value === -1 ? 'count' : 'sum' }
}
