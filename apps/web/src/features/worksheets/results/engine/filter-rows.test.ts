import type { ResultColumn } from '@trellis/contract/sql/sql.schemas'
import { expect, test } from 'vitest'
import { type ColumnFilter, describeFilter, filterRows } from './filter-rows.ts'

const columns: ResultColumn[] = [
  { name: 'name', type: 'text', kind: 'text' },
  { name: 'amount', type: 'numeric', kind: 'decimal' },
  { name: 'at', type: 'timestamp', kind: 'timestamp' },
]
const rows = [
  ['Anna', '10', '2026-01-01 10:00:00'],
  ['Ben', '-3.5', '2026-01-02 23:59:59'],
  [null, null, null],
  ['', '100', '2026-01-03 00:00:00'],
]

test.each<[string, number, ColumnFilter, number[], string]>([
  ['a text, whatever its case', 0, { kind: 'text', text: 'AN', isNot: false }, [0], 'contains "AN"'],
  ['what does not have it', 0, { kind: 'text', text: 'an', isNot: true }, [1, 2, 3], 'does not contain "an"'],
  ['an open range of numbers', 1, { kind: 'range', from: '0', to: '' }, [0, 3], 'from 0'],
  ['negative numbers', 1, { kind: 'range', from: '-4', to: '10' }, [0, 1], 'from -4 to 10'],
  [
    'a day as the end is all of it',
    2,
    { kind: 'range', from: '2026-01-02', to: '2026-01-02' },
    [1],
    'from 2026-01-02 to 2026-01-02',
  ],
  ['empty texts and NULL', 0, { kind: 'empty' }, [2, 3], 'is empty'],
  ['the rest', 0, { kind: 'filled' }, [0, 1], 'is not empty'],
  ['some values', 0, { kind: 'values', values: ['Ben', null] }, [1, 2], 'is one of 2 values'],
])('%s', (...[, at, filter, found, words]) => {
  expect(filterRows(rows, columns, { [at]: filter })).toEqual(found)
  expect(describeFilter(filter)).toBe(words)
})

test('all filters must let a row through', () => {
  expect(filterRows(rows, columns, { 0: { kind: 'filled' }, 1: { kind: 'range', from: '', to: '0' } })).toEqual([1])
})
