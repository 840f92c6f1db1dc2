import { expect, test } from 'vitest'
import { sortRows } from './sort-rows.ts'

const rows = [['10'], ['9'], [null], ['-2'], ['9007199254740993'], ['9007199254740992']]

test('numbers by their size, also beyond what a double holds, and NULL last', () => {
  const sorted = (direction: 'asc' | 'desc') =>
    sortRows(rows, { column: 0, direction, kind: 'integer' }).map((at) => rows[at]?.[0])
  expect(sorted('asc')).toEqual(['-2', '9', '10', '9007199254740992', '9007199254740993', null])
  expect(sorted('desc')).toEqual(['9007199254740993', '9007199254740992', '10', '9', '-2', null])
})

test('texts as people order them', () => {
  const words = [['b10'], ['B2'], ['a']]
  expect(sortRows(words, { column: 0, direction: 'asc', kind: 'text' }).map((at) => words[at]?.[0])).toEqual([
    'a',
    'B2',
    'b10',
  ])
})
