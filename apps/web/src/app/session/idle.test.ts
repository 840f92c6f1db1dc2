import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IDLE_LIMIT, isIdle, recordActivity, watchIdle } from './idle.ts'

const MINUTE = 60_000
let stop: () => void = () => undefined
let idles = 0

beforeEach(() => {
  localStorage.clear()
  vi.useFakeTimers({ now: new Date('2026-03-01T08:00:00Z') })
  idles = 0
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

const watch = () => (stop = watchIdle({ onIdle: () => (idles += 1) }))

test('90 minutes without a sign of life end it, once', () => {
  watch()
  vi.advanceTimersByTime(90 * MINUTE - 1)
  expect(idles).toBe(0)
  vi.advanceTimersByTime(1)
  expect(idles).toBe(1)
  vi.advanceTimersByTime(IDLE_LIMIT * 2)
  expect(idles).toBe(1)
})

test.each(['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart'])('%s starts the 90 minutes anew', (sign) => {
  watch()
  vi.advanceTimersByTime(89 * MINUTE)
  window.dispatchEvent(new Event(sign))
  vi.advanceTimersByTime(89 * MINUTE)
  expect(idles).toBe(0)
  vi.advanceTimersByTime(MINUTE)
  expect(idles).toBe(1)
})

test('a sign of life in another tab counts here', () => {
  watch()
  vi.advanceTimersByTime(60 * MINUTE)
  recordActivity()
  vi.advanceTimersByTime(60 * MINUTE)
  expect(idles).toBe(0)
  vi.advanceTimersByTime(30 * MINUTE)
  expect(idles).toBe(1)
})

test('a machine that slept wakes up idle: the first mouse move comes too late', () => {
  watch()
  vi.setSystemTime(Date.now() + 91 * MINUTE)
  window.dispatchEvent(new Event('mousemove'))
  expect(idles).toBe(1)
})

test('a tab opened after the limit is idle at once, a browser never used is not', () => {
  expect(isIdle()).toBe(false)
  localStorage.setItem('trellis.activity', String(Date.now() - IDLE_LIMIT))
  expect(isIdle()).toBe(true)
  watch()
  expect(idles).toBe(1)
})

test('many moves write to storage only now and then', () => {
  watch()
  const write = vi.spyOn(Storage.prototype, 'setItem')
  for (let moves = 0; moves < 1000; moves += 1) {
    vi.advanceTimersByTime(10)
    window.dispatchEvent(new Event('mousemove'))
  }
  expect(write.mock.calls.length).toBeLessThanOrEqual(2)
  write.mockRestore()
})

test('stopped means stopped', () => {
  watch()
  stop()
  vi.advanceTimersByTime(IDLE_LIMIT * 2)
  expect(idles).toBe(0)
})
