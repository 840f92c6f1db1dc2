import { expect, test } from 'vitest'
import { getNextSort, searchRows, parseSort, sortRows, formatSort } from './table-view.ts'

const rows = [{ n: 'b10' }, { n: '' }, { n: 'B2' }, { n: 'a' }]
const names = (list: readonly { n: string }[]) => list.map((row) => row.n)

test('sorts as people read, missing values last in both directions', () => {
  expect(names(sortRows(rows, (row) => row.n, 'asc'))).toEqual(['a', 'B2', 'b10', ''])
  expect(names(sortRows(rows, (row) => row.n, 'desc'))).toEqual(['b10', 'B2', 'a', ''])
  expect(sortRows([3, 1, 2], (n) => n, 'desc')).toEqual([3, 2, 1])
  expect(sortRows([new Date(2), new Date(1)], (d) => d, 'asc').map(Number)).toEqual([1, 2])
})

test('searches by all words in any order', () => {
  const texts = ['North Wind', 'South wind', 'north']
  expect(searchRows(texts, String, 'wind NORTH')).toEqual(['North Wind'])
  expect(searchRows(texts, String, '  ')).toBe(texts)
  expect(searchRows(texts, String, 'east')).toEqual([])
})

test('a header goes through up, down and off', () => {
  const up = getNextSort(null, 'name')
  const down = getNextSort(up, 'name')
  expect([up, down, getNextSort(down, 'name'), getNextSort(down, 'age')]).toEqual([
    { key: 'name', direction: 'asc' },
    { key: 'name', direction: 'desc' },
    null,
    { key: 'age', direction: 'asc' },
  ])
})

test('the sort survives the address', () => {
  for (const sort of [null, { key: 'a', direction: 'asc' }, { key: 'a', direction: 'desc' }] as const) {
    expect(parseSort(formatSort(sort))).toEqual(sort)
  }
  expect(parseSort('-')).toBeNull()
})
