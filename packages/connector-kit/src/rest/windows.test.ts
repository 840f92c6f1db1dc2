import type { RestCursor } from '@trellis/contract/integrations/rest-manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  isInWindow,
  parseCheckpointValue,
  toCheckpointValue,
  parseCursorValue,
  listWindows,
  withLookback,
  formatCursorValue,
} from './windows.ts'

const DAY = 86_400_000
const cursor = (part: Partial<RestCursor>): RestCursor => ({ field: 'at', kind: 'datetime', format: 'iso', ...part })
const instant = fc.integer({ min: Date.parse('2015-01-01'), max: Date.parse('2035-01-01') })
const stretch = fc.tuple(instant, fc.integer({ min: 0, max: 400 * DAY }), fc.integer({ min: 1, max: 60 }))

test('every instant of the stretch belongs to exactly one window, and no window is longer than its step', () => {
  fc.assert(
    fc.property(stretch, fc.double({ min: 0, max: 1, noNaN: true }), ([start, length, step], at) => {
      const own = cursor({ step_days: step })
      const windows = [...listWindows(own, start, start + length)]
      const index = start + Math.floor(length * at)
      const holding = windows.filter((window) => {
        const isGiven = index >= window.start && index <= (window.end ?? Infinity)
        return isGiven && isInWindow(own, window, index)
      })
      expect(holding).toHaveLength(1)
      for (const { start: from, end = from } of windows) expect(end - from).toBeLessThanOrEqual(step * DAY)
      expect(windows.filter(({ isLast }) => isLast)).toHaveLength(1)
    }),
  )
})

test('days are asked for once each', () => {
  fc.assert(
    fc.property(stretch, ([start, length, step]) => {
      const own = cursor({ kind: 'date', format: 'date', step_days: step })
      const days = [...listWindows(own, start, start + length)].flatMap(({ start: from, end = from }) =>
        Array.from({ length: (end - from) / DAY + 1 }, (_, index) => from + index * DAY),
      )
      const first = Math.floor(start / DAY) * DAY
      const count = (Math.floor((start + length) / DAY) * DAY - first) / DAY + 1
      expect(days).toEqual(Array.from({ length: count }, (_, index) => first + index * DAY))
    }),
  )
})

test.each(['iso', 'unix', 'unix_ms', 'date'] as const)('what is written as %s is read as the same place', (format) => {
  fc.assert(
    fc.property(instant, (index) => {
      const own = cursor({ format })
      const unit = format === 'unix' ? 1000 : format === 'date' ? DAY : 1
      expect(parseCursorValue(own, formatCursorValue(own, index))).toBe(Math.floor(index / unit) * unit)
      expect(parseCheckpointValue(own, toCheckpointValue(own, index))).toBe(index)
    }),
  )
})

test('a state sorts as time does', () => {
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      expect(toCheckpointValue(cursor({}), a) < toCheckpointValue(cursor({}), b)).toBe(a < b)
    }),
  )
})

test('a time without a zone is UTC, and what is no time is no place', () => {
  expect(parseCursorValue(cursor({}), '2026-11-10 12:00:00')).toBe(Date.parse('2026-11-10T12:00:00Z'))
  expect(parseCursorValue(cursor({}), '2026-11-10T12:00:00+02:00')).toBe(Date.parse('2026-11-10T10:00:00Z'))
  expect(parseCursorValue(cursor({}), 'soon')).toBeUndefined()
  expect(parseCursorValue(cursor({}), null)).toBeUndefined()
  expect(parseCursorValue(cursor({ kind: 'number', format: 'number' }), '41')).toBe(41)
  expect(withLookback(cursor({ lookback_days: 3 }), Date.parse('2026-11-10'))).toBe(Date.parse('2026-11-07'))
})

test('seconds never fall between two windows', () => {
  const own = cursor({ format: 'unix', step_days: 1 })
  const windows = [...listWindows(own, 1_500, 1_500 + 3 * DAY + 700)]
  expect(windows.map(({ start, end }) => [start % 1000, (end ?? 0) % 1000])).toEqual(windows.map(() => [0, 0]))
})
