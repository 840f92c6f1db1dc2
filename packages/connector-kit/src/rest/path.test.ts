import { expect, test } from 'vitest'
import { getField, getRecords, getValues } from './path.ts'

const answer = {
  data: { items: [{ id: 1, tags: ['a', 'b'] }, { id: 2 }] },
  'a.b': 'dotted',
  none: null,
}

test.each([
  ['data.items', [{ id: 1, tags: ['a', 'b'] }, { id: 2 }]],
  ['data.items[].tags', ['a', 'b']],
  ['data.items[1]', [{ id: 2 }]],
  ['data', [answer.data]],
  ['none', []],
  ['nowhere.at.all', []],
  ['data.constructor', []],
])('records at %s', (path, records) => {
  expect(getRecords(answer, path)).toEqual(records)
})

test('the whole answer, one value after the other, and names that hold dots', () => {
  expect(getRecords([1, 2], '')).toEqual([1, 2])
  expect(getValues(answer, 'data.items[].id')).toEqual([1, 2])
  expect(getField(answer, 'a.b')).toBe('dotted')
  expect(getField(answer, 'data.items[0].id')).toBe(1)
  expect(getField('text', 'length')).toBeUndefined()
})
