import type { ChartAggregate } from '@trellis/contract/charts/charts.schemas'
import { type Accumulator, createAccumulator } from '../../../../charts/data/aggregates.ts'
import type { ResultRows } from '../../sql.queries.ts'

export interface PivotSpec {
  readonly row: number
  readonly column: number | null
  /** Null counts rows. */
  readonly value: number | null
  readonly aggregate: ChartAggregate
}

export interface Pivot {
  readonly rowLabels: readonly (string | null)[]
  readonly columnLabels: readonly (string | null)[]
  readonly cells: readonly (readonly (number | null)[])[]
  readonly rowTotals: readonly (number | null)[]
  readonly columnTotals: readonly (number | null)[]
  readonly total: number | null
  readonly notes: readonly string[]
}

export const MAX_PIVOT_COLUMNS = 100

const collator = new Intl.Collator(undefined, { numeric: true })
const byLabel = (one: string | null, other: string | null): number =>
  one === null || other === null ? Number(one === null) - Number(other === null) : collator.compare(one, other)

/** Totals are aggregated from rows, so a mean is not a mean of means. */
export function pivotRows(
  rows: ResultRows,
  among: readonly number[],
  { row, column, value, aggregate }: PivotSpec,
): Pivot {
  const create = () => createAccumulator(aggregate, value !== null)
  const cells = new Map<string | null, Map<string | null, Accumulator>>()
  const rowTotals = new Map<string | null, Accumulator>()
  const columnTotals = new Map<string | null, Accumulator>()
  const total = create()
  const get = <K>(map: Map<K, Accumulator>, key: K): Accumulator => {
    const accumulator = map.get(key) ?? create()
    map.set(key, accumulator)
    return accumulator
  }
  for (const index of among) {
    const line = rows[index]
    if (!line) continue
    const [rowKey, columnKey] = [line[row] ?? null, column === null ? '' : (line[column] ?? null)]
    const text = value === null ? null : (line[value] ?? null)
    let inRow = cells.get(rowKey)
    if (!inRow) cells.set(rowKey, (inRow = new Map()))
    for (const group of [get(inRow, columnKey), get(rowTotals, rowKey), get(columnTotals, columnKey), total]) {
      group.add(text)
    }
  }
  const rowLabels = [...cells.keys()].toSorted(byLabel)
  const allColumns = [...columnTotals.keys()].toSorted(byLabel)
  const columnLabels = column === null ? [] : allColumns.slice(0, MAX_PIVOT_COLUMNS)
  const hidden = column === null ? 0 : allColumns.length - columnLabels.length
  return {
    rowLabels,
    columnLabels,
    cells: rowLabels.map((key) => columnLabels.map((name) => cells.get(key)?.get(name)?.result() ?? null)),
    rowTotals: rowLabels.map((key) => rowTotals.get(key)?.result() ?? null),
    columnTotals: columnLabels.map((name) => columnTotals.get(name)?.result() ?? null),
    total: total.result(),
    notes: hidden > 0 ? [`${hidden.toLocaleString('en-GB')} more columns are counted in the totals only.`] : [],
  }
}
