import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import { parseNumber } from '../../charts/data/aggregates.ts'

export interface TableColumn {
  readonly at: number
  readonly name: string
  readonly isNumber: boolean
}
export interface TableSort {
  readonly at: number
  readonly isDescending: boolean
}

export function listTableColumns({ columns }: FrameRows, names: readonly string[]): TableColumn[] {
  const all = columns.map(({ name, kind }, at) => ({ at, name, isNumber: kind === 'integer' || kind === 'decimal' }))
  return names.length === 0 ? all : names.flatMap((name) => all.find((column) => column.name === name) ?? [])
}

/** Rows without a value come last. */
export function arrangeRows(
  rows: FrameRows,
  columns: readonly TableColumn[],
  { words, sort }: { words: string; sort: TableSort | null },
): (readonly (string | null)[])[] {
  const searched = words.trim().toLowerCase().split(/\s+/).filter(Boolean)
  const found =
    searched.length === 0
      ? rows.rows
      : rows.rows.filter((row) => {
          const text = columns
            .map(({ at }) => row[at] ?? '')
            .join('\n')
            .toLowerCase()
          return searched.every((word) => text.includes(word))
        })
  const column = columns.find(({ at }) => at === sort?.at)
  if (!sort || !column) return [...found]
  const order = sort.isDescending ? -1 : 1
  return found.toSorted((one, other) => {
    const [a = null, b = null] = [one[column.at], other[column.at]]
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return order * (column.isNumber ? (parseNumber(a) ?? 0) - (parseNumber(b) ?? 0) : a.localeCompare(b, 'en'))
  })
}
