import { expect, test } from 'vitest'
import { computeColumnStats } from './column-stats.ts'

const rows = [['3'], ['1'], [null], ['2'], ['2']]
const among = [0, 1, 2, 3, 4]

test('numbers have ends, a mean, a median and a histogram', () => {
  const stats = computeColumnStats(rows, { column: 0, kind: 'integer', among })
  expect(stats).toMatchObject({ rows: 5, nulls: 1, distinct: 3, min: '1', max: '3', mean: 2, median: 2, sum: 8 })
  expect(stats.topValues[0]).toEqual({ value: '2', count: 2 })
  expect(stats.bins).toHaveLength(20)
  expect(stats.bins.reduce((sum, { count }) => sum + count, 0)).toBe(4)
})

test('only the rows that are left are counted', () => {
  expect(computeColumnStats(rows, { column: 0, kind: 'integer', among: [0, 2] })).toMatchObject({
    rows: 2,
    max: '3',
    nulls: 1,
  })
})

test('texts have ends by their letters, times by their order, and no mean', () => {
  const texts = computeColumnStats([['b'], ['a'], ['']], { column: 0, kind: 'text', among: [0, 1, 2] })
  expect(texts).toMatchObject({ min: '', max: 'b', empty: 1, mean: null, bins: [] })
  const days = computeColumnStats([['2026-02-01'], ['2026-01-05']], { column: 0, kind: 'date', among: [0, 1] })
  expect(days).toMatchObject({ min: '2026-01-05', max: '2026-02-01', mean: null })
  expect(days.bins[0]?.from).toBe('2026-01-05 00:00:00')
})

test('a column without values', () => {
  expect(computeColumnStats([[null]], { column: 0, kind: 'decimal', among: [0] })).toMatchObject({
    nulls: 1,
    distinct: 0,
    min: null,
    mean: null,
    bins: [],
  })
})
