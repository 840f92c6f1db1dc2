import type { Filter } from '@trellis/contract/explorer/filters'
import type { FakeTable } from './fake-explorer.ts'
import { FakeError } from './fake-error.ts'

type Row = FakeTable['rows'][number]

const TESTS: Record<Filter['operator'], (cell: string, value: string) => boolean> = {
  eq: (cell, value) => cell === value,
  ne: (cell, value) => cell !== value,
  lt: (cell, value) => Number(cell) < Number(value),
  lte: (cell, value) => Number(cell) <= Number(value),
  gt: (cell, value) => Number(cell) > Number(value),
  gte: (cell, value) => Number(cell) >= Number(value),
  contains: (cell, value) => cell.toLowerCase().includes(value.toLowerCase()),
  starts_with: (cell, value) => cell.toLowerCase().startsWith(value.toLowerCase()),
  in: (cell, value) => value.split('\n').includes(cell),
  is_null: () => false,
  is_not_null: () => true,
}

export function matchesFilters(table: FakeTable, text: string | undefined): Row[] {
  const filters = JSON.parse(text ?? '[]') as Filter[]
  for (const { column, value } of filters) {
    const type = table.columns.find((candidate) => candidate.name === column)?.type ?? 'text'
    if (value === undefined || !type.startsWith('numeric') || !Number.isNaN(Number(value))) continue
    throw new FakeError('invalid_request', {
      detail: `"${value}" does not fit the column "${column}", which is ${type}.`,
    })
  }
  return table.rows.filter((row) =>
    filters.every(({ column, operator, value = '' }) => {
      const cell = row[table.columns.findIndex((candidate) => candidate.name === column)] ?? null
      return cell === null ? operator === 'is_null' : TESTS[operator](cell, value)
    }),
  )
}

export function sortedRows(table: FakeTable, rows: Row[], { sort, direction }: Record<string, string>): Row[] {
  if (sort === undefined) return rows
  const at = table.columns.findIndex((column) => column.name === sort)
  const sign = direction === 'desc' ? -1 : 1
  return rows.toSorted((a, b) => sign * (a[at] ?? '').localeCompare(b[at] ?? '', 'en', { numeric: true }))
}
