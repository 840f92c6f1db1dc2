import type { ColumnKind, ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { parseTime } from '../../../../charts/data/time-units.ts'
import type { ResultRows } from '../../sql.queries.ts'

export type ColumnFilter =
  | { readonly kind: 'text'; readonly text: string; readonly isNot: boolean }
  /** Inclusive; an empty bound is open. */
  | { readonly kind: 'range'; readonly from: string; readonly to: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'filled' }
  | { readonly kind: 'values'; readonly values: readonly (string | null)[] }

export type ColumnFilters = Readonly<Record<number, ColumnFilter>>

const DAY_MS = 24 * 60 * 60_000

export function filterRows(rows: ResultRows, columns: readonly ResultColumn[], filters: ColumnFilters): number[] {
  const tests = Object.entries(filters).map(([columnKey, filter]) => ({
    at: Number(columnKey),
    isIn: buildTest(filter, columns[Number(columnKey)]?.kind ?? 'text'),
  }))
  const found: number[] = []
  for (const [index, row] of rows.entries()) {
    if (tests.every(({ at, isIn }) => isIn(row[at] ?? null))) found.push(index)
  }
  return found
}

function buildTest(filter: ColumnFilter, kind: ColumnKind): (value: string | null) => boolean {
  switch (filter.kind) {
    case 'empty':
      return (value) => value === null || value === ''
    case 'filled':
      return (value) => value !== null && value !== ''
    case 'values': {
      const values = new Set(filter.values)
      return (value) => values.has(value)
    }
    case 'text': {
      const text = filter.text.toLowerCase()
      return (value) => (value !== null && value.toLowerCase().includes(text)) !== filter.isNot
    }
    case 'range':
      return buildRange(filter, kind)
  }
}

function buildRange({ from, to }: { from: string; to: string }, kind: ColumnKind): (value: string | null) => boolean {
  if (kind === 'date' || kind === 'timestamp') {
    const first = parseTime(from) ?? Number.NEGATIVE_INFINITY
    const last = parseTime(to) ?? Number.POSITIVE_INFINITY
    // A date as upper bound includes the whole day.
    const end = to.length === 10 ? last + DAY_MS - 1 : last
    return (value) => {
      const time = parseTime(value)
      return time !== null && time >= first && time <= end
    }
  }
  const first = from === '' ? Number.NEGATIVE_INFINITY : Number(from)
  const last = to === '' ? Number.POSITIVE_INFINITY : Number(to)
  return (value) => value !== null && Number(value) >= first && Number(value) <= last
}

export function describeFilter(filter: ColumnFilter): string {
  switch (filter.kind) {
    case 'empty':
      return 'is empty'
    case 'filled':
      return 'is not empty'
    case 'text':
      return `${filter.isNot ? 'does not contain' : 'contains'} "${filter.text}"`
    case 'values': {
      const [first = null] = filter.values
      const name = first ?? 'NULL'
      return filter.values.length === 1 ? `is ${name}` : `is one of ${filter.values.length} values`
    }
    case 'range':
      if (filter.from === '') return `up to ${filter.to}`
      return filter.to === '' ? `from ${filter.from}` : `from ${filter.from} to ${filter.to}`
  }
}
