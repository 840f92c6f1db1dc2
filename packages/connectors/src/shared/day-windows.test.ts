import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, countDays, subtractMonths, parseRange, splitWindow } from './day-windows.ts'

const day = fc.integer({ min: 0, max: 12_000 }).map((count) => addDays('2000-01-01', count))

describe('windows of days', () => {
  it('cover every day once, in order, none too long', () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), fc.integer({ min: 1, max: 90 }), (from, length, step) => {
        const to = addDays(from, length)
        const windows = splitWindow({ from, to }, step)
        const days = windows.flatMap((window) =>
          Array.from({ length: countDays(window.from, window.to) + 1 }, (_, index) => addDays(window.from, index)),
        )
        expect(days).toEqual(Array.from({ length: length + 1 }, (_, index) => addDays(from, index)))
        expect(windows.every((window) => countDays(window.from, window.to) < step)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('are none when the end comes before the beginning', () => {
    expect(splitWindow({ from: '2026-02-02', to: '2026-02-01' }, 7)).toEqual([])
  })
})

describe('months before a day', () => {
  it.each([
    ['2026-11-10', 37, '2023-10-10'],
    ['2026-03-31', 1, '2026-02-28'],
    ['2024-03-31', 1, '2024-02-29'],
    ['2026-01-15', 1, '2025-12-15'],
  ])('%s less %i is %s', (from, months, expected) => {
    expect(subtractMonths(from, months)).toBe(expected)
  })
})

describe('the days a query asks for', () => {
  const rules = { today: '2026-11-10', oldest: '2023-10-10' }
  const asked = (dataTimeframe: string, startDate: string | null, endDate: string | null) =>
    parseRange({ dates: { range: { dataTimeframe, startDate, endDate } } }, rules)

  it('end today unless the query says otherwise, and never begin before what is kept', () => {
    expect(asked('startingDate', '2026-01-01', '2026-02-01')).toEqual({ from: '2026-01-01', to: '2026-11-10' })
    expect(asked('rangeDates', '2026-01-01', '2026-02-01')).toEqual({ from: '2026-01-01', to: '2026-02-01' })
    expect(asked('rangeDates', '2020-01-01', '2030-02-01')).toEqual({ from: '2023-10-10', to: '2026-11-10' })
    expect(parseRange({}, rules)).toEqual({ from: '2026-10-11', to: '2026-11-10' })
  })
})
