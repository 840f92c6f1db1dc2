import { expect, test } from 'vitest'
import { createLayout, hideColumn, listShownColumns, moveColumn, togglePin } from './column-layout.ts'

test('columns move among their own, pinned ones first', () => {
  const first = createLayout(4)
  expect(listShownColumns(moveColumn(first, 2, -1))).toEqual([0, 2, 1, 3])
  expect(moveColumn(first, 0, -1)).toBe(first)
  const pinned = togglePin(first, 3)
  expect(listShownColumns(pinned)).toEqual([3, 0, 1, 2])
  expect(pinned.pinnedCount).toBe(1)
  expect(moveColumn(pinned, 0, -1)).toBe(pinned)
  const both = togglePin(pinned, 1)
  expect(listShownColumns(both)).toEqual([3, 1, 0, 2])
  expect(listShownColumns(togglePin(both, 3))).toEqual([1, 3, 0, 2])
  expect(togglePin(both, 3).pinnedCount).toBe(1)
})

test('a hidden column is not shown, and the last one stays', () => {
  const hidden = hideColumn(togglePin(createLayout(2), 1), 1)
  expect(listShownColumns(hidden)).toEqual([0])
  expect(hidden.pinnedCount).toBe(0)
  expect(hideColumn(hidden, 0)).toBe(hidden)
})
