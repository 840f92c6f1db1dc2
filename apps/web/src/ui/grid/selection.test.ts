import { expect, test } from 'vitest'
import { selectCell, cellCount, HEADER, moveSelection, toRange } from './selection.ts'

const size = { rows: 100, columns: 5, page: 20 }
const press = (key: string, more: { shiftKey?: boolean; isMod?: boolean } = {}) => ({
  key,
  shiftKey: false,
  isMod: false,
  ...more,
})

test('arrows walk, stop at the edges and reach the header', () => {
  expect(moveSelection(selectCell(0, 0), press('ArrowUp'), size)).toEqual(selectCell(HEADER, 0))
  expect(moveSelection(selectCell(HEADER, 0), press('ArrowUp'), size)).toEqual(selectCell(HEADER, 0))
  expect(moveSelection(selectCell(99, 4), press('ArrowDown'), size)).toEqual(selectCell(99, 4))
  expect(moveSelection(selectCell(3, 2), press('ArrowRight', { isMod: true }), size)).toEqual(selectCell(3, 4))
  expect(moveSelection(selectCell(3, 2), press('PageDown'), size)).toEqual(selectCell(23, 2))
  expect(moveSelection(selectCell(90, 2), press('PageDown'), size)).toEqual(selectCell(99, 2))
  expect(moveSelection(selectCell(3, 2), press('x'), size)).toBeNull()
})

test('Shift lets the range grow from where it began, never into the header', () => {
  const first = moveSelection(selectCell(2, 1), press('ArrowUp', { shiftKey: true }), size)
  const second = first && moveSelection(first, press('ArrowRight', { shiftKey: true }), size)
  expect(second && toRange(second)).toEqual({ top: 1, bottom: 2, left: 1, right: 2 })
  expect(moveSelection(selectCell(0, 1), press('ArrowUp', { shiftKey: true }), size)?.focus.row).toBe(0)
})

test('everything that is loaded can be chosen at once', () => {
  const all = moveSelection(selectCell(5, 1), press('a', { isMod: true }), size)
  expect(all && cellCount(toRange(all))).toBe(500)
  expect(moveSelection(selectCell(HEADER, 0), press('a', { isMod: true }), { ...size, rows: 0 })).toEqual(
    selectCell(HEADER, 0),
  )
})
