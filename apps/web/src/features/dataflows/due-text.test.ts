import { describe, expect, it } from 'vitest'
import { formatTimeAgo, formatDueTime } from './due-text.ts'

const now = new Date(2026, 2, 10, 22, 30)
const at = (...[day, hour, minute = 0]: [number, number, number?]) => new Date(2026, 2, day, hour, minute)

describe('a moment to come', () => {
  it.each([
    [at(10, 22, 0), 'now'],
    [at(10, 22, 30), 'now'],
    [at(10, 22, 42), 'in 12 min'],
    [at(10, 23, 45), 'at 23:45'],
    [at(11, 6, 5), 'tomorrow 06:05'],
    [at(14, 6, 5), '2026-03-14 @ 06:05'],
  ])('%s', (moment, text) => expect(formatDueTime(moment, now)).toBe(text))
})

describe('a moment gone by', () => {
  it.each([
    [at(10, 22, 30), 'just now'],
    [at(10, 22, 31), 'just now'],
    [at(10, 22, 9), '21 min ago'],
    [at(10, 20, 0), '2 h ago'],
    [at(7, 20, 0), '3 d ago'],
  ])('%s', (moment, text) => expect(formatTimeAgo(moment, now)).toBe(text))
})
