import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { expect, test } from 'vitest'
import { guessPivot } from './guess-pivot.ts'

const columns: ResultColumn[] = [
  { name: 'order_id', type: 'integer', kind: 'integer' },
  { name: 'country', type: 'text', kind: 'text' },
  { name: 'status', type: 'text', kind: 'text' },
  { name: 'amount', type: 'numeric', kind: 'decimal' },
]

test('columns that repeat become rows and columns, a number that is no key the value', () => {
  const rows = [
    ['1', 'DE', 'open', '5'],
    ['2', 'DE', 'paid', '5'],
    ['3', 'FR', 'open', '5'],
  ]
  expect(guessPivot(columns, rows)).toEqual({ row: 1, column: 2, value: 3, aggregate: 'sum' })
  expect(guessPivot(columns.slice(1, 2), [['a'], ['a']])).toEqual({
    row: 0,
    column: null,
    value: null,
    aggregate: 'count',
  })
})
