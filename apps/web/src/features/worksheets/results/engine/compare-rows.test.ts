import { expect, test } from 'vitest'
import { compareRows, guessKey } from './compare-rows.ts'

const columns = [{ name: 'id' }, { name: 'status' }, { name: 'amount' }]
const before = {
  columns,
  rows: [
    ['1', 'open', '10'],
    ['2', 'open', null],
    ['3', 'paid', '5'],
  ],
}
const after = {
  columns: [{ name: 'status' }, { name: 'id' }, { name: 'amount' }],
  rows: [
    ['open', '1', '10'],
    ['paid', '2', '7'],
    ['open', '4', '1'],
  ],
}

test('rows are new, gone, changed or the same by their key, whatever the order of columns', () => {
  expect(guessKey(before, after)).toEqual(['id'])
  const { rows, ...counts } = compareRows(before, after, ['id'])
  expect(counts).toEqual({
    columns: ['status', 'id', 'amount'],
    added: 1,
    removed: 1,
    changed: 1,
    same: 1,
    notes: [],
  })
  expect(rows).toEqual([
    { change: 'changed', values: ['paid', '2', '7'], before: ['open', '2', null] },
    { change: 'added', values: ['open', '4', '1'], before: null },
    { change: 'removed', values: ['paid', '3', '5'], before: null },
  ])
})

test('without a key whole rows are compared, as often as they are there', () => {
  const twice = { columns, rows: [...before.rows, ...before.rows.slice(0, 1)] }
  expect(compareRows(twice, before, [])).toMatchObject({ added: 0, removed: 1, changed: 0, same: 3 })
  expect(compareRows(before, before, [])).toMatchObject({ added: 0, removed: 0, same: 3, rows: [] })
})

test('columns that only one has, and keys that repeat, are said', () => {
  const other = {
    columns: [{ name: 'id' }, { name: 'extra' }],
    rows: [
      ['1', 'x'],
      ['1', 'y'],
    ],
  }
  expect(compareRows(other, before, ['id']).notes).toEqual([
    'Only the earlier result has extra.',
    'Only this result has status, amount.',
    '1 rows share their key with another and are compared in their order.',
  ])
  expect(guessKey(other, before)).toEqual([])
})
