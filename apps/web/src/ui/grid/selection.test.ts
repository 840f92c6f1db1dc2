import { expect, test } from 'vitest'
import { at, cellCount, HEADER, moved, toRange } from './selection.ts'

const size = { rows: 100, columns: 5, page: 20 }
const press = (key: string, more: { shiftKey?: boolean; isMod?: boolean } = {}) => ({
  key,
  shiftKey: false,
  isMod: false,
  ...more,
})

test('arrows walk, stop at the edges and reach the header', () => {
  expect(moved(at(0, 0), press('ArrowUp'), size)).toEqual(at(HEADER, 0))
  expect(moved(at(HEADER, 0), press('ArrowUp'), size)).toEqual(at(HEADER, 0))
  expect(moved(at(99, 4), press('ArrowDown'), size)).toEqual(at(99, 4))
  expect(moved(at(3, 2), press('ArrowRight', { isMod: true }), size)).toEqual(at(3, 4))
  expect(moved(at(3, 2), press('PageDown'), size)).toEqual(at(23, 2))
  expect(moved(at(90, 2), press('PageDown'), size)).toEqual(at(99, 2))
  expect(moved(at(3, 2), press('x'), size)).toBeNull()
})

test('Shift lets the range grow from where it began, never into the header', () => {
  const first = moved(at(2, 1), press('ArrowUp', { shiftKey: true }), size)
  const second = first && moved(first, press('ArrowRight', { shiftKey: true }), size)
  expect(second && toRange(second)).toEqual({ top: 1, bottom: 2, left: 1, right: 2 })
  expect(moved(at(0, 1), press('ArrowUp', { shiftKey: true }), size)?.focus.row).toBe(0)
})

test('everything that is loaded can be chosen at once', () => {
  const all = moved(at(5, 1), press('a', { isMod: true }), size)
  expect(all && cellCount(toRange(all))).toBe(500)
  expect(moved(at(HEADER, 0), press('a', { isMod: true }), { ...size, rows: 0 })).toEqual(at(HEADER, 0))
})
