import { expect, test } from 'vitest'
import { MAX_PIVOT_COLUMNS, pivotRows } from './pivot-rows.ts'

const rows = [
  ['DE', 'open', '10'],
  ['DE', 'paid', '20'],
  ['DE', 'paid', '40'],
  ['FR', 'open', '1'],
  [null, 'open', null],
]
const among = rows.map((_, at) => at)

test('sums with totals of rows, columns and all', () => {
  expect(pivotRows(rows, among, { row: 0, column: 1, value: 2, aggregate: 'sum' })).toEqual({
    rowLabels: ['DE', 'FR', null],
    columnLabels: ['open', 'paid'],
    cells: [
      [10, 60],
      [1, null],
      [null, null],
    ],
    rowTotals: [70, 1, null],
    columnTotals: [11, 60],
    total: 71,
    notes: [],
  })
})

test('a mean in the totals is one of all rows, not of the means', () => {
  const { rowTotals } = pivotRows(rows, among, { row: 0, column: 1, value: 2, aggregate: 'mean' })
  expect(rowTotals[0]).toBeCloseTo(70 / 3)
})

test('rows are counted without a value, and without a column there is a total alone', () => {
  const pivot = pivotRows(rows, [0, 1, 3], { row: 0, column: null, value: null, aggregate: 'count' })
  expect(pivot).toMatchObject({ columnLabels: [], rowLabels: ['DE', 'FR'], rowTotals: [2, 1], total: 3 })
})

test('more columns than can be shown are said', () => {
  const wide = Array.from({ length: MAX_PIVOT_COLUMNS + 5 }, (_, at) => ['a', String(at), '1'])
  const pivot = pivotRows(
    wide,
    wide.map((_, at) => at),
    { row: 0, column: 1, value: 2, aggregate: 'sum' },
  )
  expect(pivot.columnLabels).toHaveLength(MAX_PIVOT_COLUMNS)
  expect(pivot.total).toBe(MAX_PIVOT_COLUMNS + 5)
  expect(pivot.notes).toEqual(['5 more columns are counted in the totals only.'])
})
