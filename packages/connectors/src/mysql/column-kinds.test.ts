import { expect, test } from 'vitest'
import { getColumnKind } from './column-kinds.ts'

const convertDate = getColumnKind({ name: 'day', columnType: 10, flags: 0 } as never).convert

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2024-02-29', '2024-02-29'],
  ['2000-02-29', '2000-02-29'],
  ['1900-02-29', null],
  ['2026-02-29', null],
  ['2026-02-31', null],
  ['2026-04-31', null],
  ['2026-12-31', '2026-12-31'],
  ['2026-13-01', null],
  ['2026-00-10', null],
  ['2026-10-00', null],
  ['0000-00-00', null],
])('the date %s arrives as %s', (stored, arrives) => {
  expect(convertDate?.(stored)).toBe(arrives)
})

test('tinyint(1) is a whole number: it can hold more than true and false', () => {
  expect(getColumnKind({ name: 'flag', columnType: 1, flags: 0, columnLength: 1 } as never).type).toBe('integer')
})
