import { expect, test } from 'vitest'
import {
  areaPath,
  linePath,
  findNearest,
  parsePeriod,
  toPositions,
  roundTop,
  toSeries,
  formatSummary,
} from './day-series.ts'

const size = { width: 100, height: 40 }

test('only the offered periods are asked for', () => {
  expect(['1', '7', '30', '90', '31', '-1', 'x', null].map(parsePeriod)).toEqual([1, 7, 30, 90, 30, 30, 30, 30])
})

test('the axis ends at a round number that holds every value', () => {
  const tops = [0, 0.4, 1, 3, 5, 10, 187, 200, 600, 1001].map((value) => roundTop([1, value]))
  expect(tops).toEqual([2, 2, 2, 5, 10, 20, 200, 250, 1000, 2000])
  expect(roundTop([])).toBe(1)
  expect(roundTop([3.1 * 1024, 0], 1024)).toBe(5 * 1024)
})

test('points stand by their date, so a missing day leaves a gap', () => {
  const places = toPositions(
    [
      { day: '2026-11-01', value: 0 },
      { day: '2026-11-02', value: 5 },
      { day: '2026-11-05', value: 10 },
    ],
    10,
  )
  expect(places).toEqual([
    { x: 0, y: 0 },
    { x: 0.25, y: 0.5 },
    { x: 1, y: 1 },
  ])
  expect(linePath(places, size)).toBe('M0 40 L25 20 L100 0')
  expect(areaPath(places, size)).toBe('M0 40 L25 20 L100 0 L100 40 L0 40 Z')
  expect([0, 0.2, 0.6, 0.7, 1].map((x) => findNearest(places, x))).toEqual([0, 1, 1, 2, 2])
})

test('a single day stands in the middle, none draws nothing', () => {
  expect(toPositions([{ day: '2026-11-01', value: 3 }], 5)).toEqual([{ x: 0.5, y: 0.6 }])
  expect([toPositions([], 5), linePath([], size), areaPath([], size)]).toEqual([[], '', ''])
})

test('the chart can be told in a sentence', () => {
  const days = [12, 40, 9].map((credits_spent, at) => ({
    day: `2026-11-0${at + 1}`,
    users: 1,
    workspaces: 1,
    storage_bytes: 0,
    credits_spent,
  }))
  expect(formatSummary(toSeries(days, 'credits_spent'), String)).toBe(
    'From 2026-11-01 to 2026-11-03: 9 at the end, at most 40 on 2026-11-02.',
  )
  expect(formatSummary([], String)).toBe('Nothing measured yet.')
})
