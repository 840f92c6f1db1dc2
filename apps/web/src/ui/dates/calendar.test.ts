import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths, findDayByKey, getWeekday, isWithin, listWeeks } from './calendar.ts'

const anyDay = fc.integer({ min: -10_000, max: 40_000 }).map((count) => addDays('2000-01-01', count))

describe('months', () => {
  test('the last day of a longer month goes to the last of a shorter one', () => {
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
    expect(addMonths('2028-03-31', -1)).toBe('2028-02-29')
    expect(addMonths('2026-12-15', 1)).toBe('2027-01-15')
  })

  test('the weeks of a month begin on Mondays, follow each other and hold the whole month', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const days = listWeeks(day).flat()
        expect(days).toHaveLength(42)
        expect(getWeekday(days[0] ?? '')).toBe(0)
        expect(days.slice(1)).toEqual(days.slice(0, -1).map((other) => addDays(other, 1)))
        expect(days).toContain(`${day.slice(0, 7)}-01`)
        expect(days).toContain(addDays(addMonths(`${day.slice(0, 7)}-01`, 1), -1))
      }),
    )
  })
})

test('keys go by day, week and month, and stay in the week at its ends', () => {
  expect(findDayByKey('ArrowRight', '2026-11-30')).toBe('2026-12-01')
  expect(findDayByKey('ArrowUp', '2026-11-18')).toBe('2026-11-11')
  expect(findDayByKey('Home', '2026-11-18')).toBe('2026-11-16')
  expect(findDayByKey('End', '2026-11-18')).toBe('2026-11-22')
  expect(findDayByKey('PageDown', '2026-10-31')).toBe('2026-11-30')
  expect(findDayByKey('a', '2026-11-18')).toBeUndefined()
})

test('limits hold the first and the last day', () => {
  expect(isWithin('2026-11-18', { min: '2026-11-18', max: '2026-11-18' })).toBe(true)
  expect(isWithin('2026-11-17', { min: '2026-11-18' })).toBe(false)
  expect(isWithin('2026-11-19', { max: '2026-11-18' })).toBe(false)
  expect(isWithin('2026-11-19', { min: '', max: '' })).toBe(true)
})
