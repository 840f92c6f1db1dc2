import type { RestCursor } from '@trellis/contract/integrations/rest-manifest'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { belongsTo, fromKept, kept, parsePosition, windowsFrom, withLookback, written } from './windows.ts'

const DAY = 86_400_000
const cursor = (part: Partial<RestCursor>): RestCursor => ({ field: 'at', kind: 'datetime', format: 'iso', ...part })
const instant = fc.integer({ min: Date.parse('2015-01-01'), max: Date.parse('2035-01-01') })
const stretch = fc.tuple(instant, fc.integer({ min: 0, max: 400 * DAY }), fc.integer({ min: 1, max: 60 }))

test('every instant of the stretch belongs to exactly one window, and no window is longer than its step', () => {
  fc.assert(
    fc.property(stretch, fc.double({ min: 0, max: 1, noNaN: true }), ([start, length, step], at) => {
      const own = cursor({ step_days: step })
      const windows = [...windowsFrom(own, start, start + length)]
      const place = start + Math.floor(length * at)
      const holding = windows.filter((window) => {
        const isGiven = place >= window.start && place <= (window.end ?? Infinity)
        return isGiven && belongsTo(own, window, place)
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
      const days = [...windowsFrom(own, start, start + length)].flatMap(({ start: from, end = from }) =>
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
    fc.property(instant, (place) => {
      const own = cursor({ format })
      const unit = format === 'unix' ? 1000 : format === 'date' ? DAY : 1
      expect(parsePosition(own, written(own, place))).toBe(Math.floor(place / unit) * unit)
      expect(fromKept(own, kept(own, place))).toBe(place)
    }),
  )
})

test('a state sorts as time does', () => {
  fc.assert(
    fc.property(instant, instant, (a, b) => {
      expect(kept(cursor({}), a) < kept(cursor({}), b)).toBe(a < b)
    }),
  )
})

test('a time without a zone is UTC, and what is no time is no place', () => {
  expect(parsePosition(cursor({}), '2026-11-10 12:00:00')).toBe(Date.parse('2026-11-10T12:00:00Z'))
  expect(parsePosition(cursor({}), '2026-11-10T12:00:00+02:00')).toBe(Date.parse('2026-11-10T10:00:00Z'))
  expect(parsePosition(cursor({}), 'soon')).toBeUndefined()
  expect(parsePosition(cursor({}), null)).toBeUndefined()
  expect(parsePosition(cursor({ kind: 'number', format: 'number' }), '41')).toBe(41)
  expect(withLookback(cursor({ lookback_days: 3 }), Date.parse('2026-11-10'))).toBe(Date.parse('2026-11-07'))
})

test('seconds never fall between two windows', () => {
  const own = cursor({ format: 'unix', step_days: 1 })
  const windows = [...windowsFrom(own, 1_500, 1_500 + 3 * DAY + 700)]
  expect(windows.map(({ start, end }) => [start % 1000, (end ?? 0) % 1000])).toEqual(windows.map(() => [0, 0]))
})
