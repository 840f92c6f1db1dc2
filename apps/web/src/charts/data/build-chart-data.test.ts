import { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { buildChartData } from './build-chart-data.ts'
import type { ChartSource } from './chart-data.ts'
import { describeChart, listTableRows } from './describe-chart.ts'

const toSpec = (spec: z.input<typeof ChartSpec>) => z.parse(ChartSpec, spec)
const sales: ChartSource = {
  columns: [
    { name: 'day', kind: 'date' },
    { name: 'country', kind: 'text' },
    { name: 'revenue', kind: 'decimal' },
  ],
  rows: [
    ['2026-01-01', 'DE', '10'],
    ['2026-01-01', 'FR', '5'],
    ['2026-01-03', 'DE', '7.5'],
    [null, 'DE', '99'],
  ],
}

test('a day without rows has a sum of zero and no mean', () => {
  const sum = buildChartData(sales, toSpec({ kind: 'line', x: 'day', y: [{ column: 'revenue', aggregate: 'sum' }] }))
  expect(sum.unit).toBe('day')
  expect(sum.series[0]?.points.map(([, y]) => y)).toEqual([15, 0, 7.5])
  expect(sum.notes).toEqual(['1 rows without a value in day are not shown.'])
  const mean = buildChartData(sales, toSpec({ kind: 'bar', x: 'day', y: [{ column: 'revenue', aggregate: 'mean' }] }))
  expect(mean.categories).toEqual(['2026-01-01', '2026-01-02', '2026-01-03'])
  expect(mean.series[0]?.points.map(([, y]) => y)).toEqual([7.5, null, 7.5])
})

test('a column splits the series, and each has every point', () => {
  const spec = toSpec({ kind: 'area', x: 'day', y: [{ column: 'revenue', aggregate: 'sum' }], split_by: 'country' })
  const { series } = buildChartData(sales, spec)
  expect(series.map(({ name, points }) => [name, points.map(([, y]) => y)])).toEqual([
    ['DE', [10, 0, 7.5]],
    ['FR', [5, 0, 0]],
  ])
})

test('the largest groups keep their name, the rest is Other and comes last', () => {
  const rows = ['a', 'b', 'c', 'd'].map((name, at) => [name, String(10 ** at)])
  const source: ChartSource = {
    columns: [
      { name: 'name', kind: 'text' },
      { name: 'n', kind: 'integer' },
    ],
    rows: [...rows, [null, '5000']],
  }
  const spec = toSpec({ kind: 'bar', x: 'name', y: [{ column: 'n', aggregate: 'sum' }], top: 2, sort: 'y_asc' })
  const { categories, series, notes } = buildChartData(source, spec)
  expect(categories).toEqual(['d', '(empty)', 'Other'])
  expect(series[0]?.points.map(([, y]) => y)).toEqual([1000, 5000, 111])
  expect(notes).toEqual(['The 2 largest of 5 values of name have a name.'])
  expect(buildChartData(source, { ...spec, show_other: false }).categories).toEqual(['d', '(empty)'])
})

test('points of numbers are drawn from left to right, and long lines keep their extremes', () => {
  const count = 100_000
  const rows = Array.from({ length: count }, (_, at) => [String(count - at), at === 77_777 ? '1000' : String(at % 7)])
  const columns = [
    { name: 'x', kind: 'integer' as const },
    { name: 'y', kind: 'integer' as const },
  ]
  const line = buildChartData({ columns, rows }, toSpec({ kind: 'line', x: 'x', y: [{ column: 'y' }] }))
  const points = line.series[0]?.points ?? []
  expect(points.length).toBeLessThanOrEqual(5000)
  expect(points[0]?.[0]).toBe(1)
  expect(points.at(-1)?.[0]).toBe(count)
  expect(Math.max(...points.map(([, y]) => y ?? 0))).toBe(1000)
  expect(line.notes[0]).toContain('100,000 points')
  expect(points.every(([x], at) => at === 0 || x >= (points[at - 1]?.[0] ?? x))).toBe(true)
  const scatter = buildChartData({ columns, rows }, toSpec({ kind: 'scatter', x: 'x', y: [{ column: 'y' }] }))
  expect(scatter.series[0]?.points).toHaveLength(count)
})

test('counts, distinct values and medians', () => {
  const value = (aggregate: 'count' | 'count_distinct' | 'median' | 'max', column: string | null = 'revenue') =>
    buildChartData(sales, toSpec({ kind: 'big_number', y: [{ column, aggregate }] })).series[0]?.points[0]?.[1]
  expect(value('count', null)).toBe(4)
  expect(value('count', 'day')).toBe(3)
  expect(value('count_distinct', 'country')).toBe(2)
  expect(value('median')).toBe(8.75)
  expect(value('max')).toBe(99)
})

test('a column that is gone is a problem in words', () => {
  expect(buildChartData(sales, toSpec({ kind: 'bar', x: 'gone', y: [{}] })).problem).toContain('no column "gone"')
  expect(buildChartData({ ...sales, rows: [] }, toSpec({ kind: 'bar', x: 'day', y: [{}] })).problem).toContain(
    'no rows',
  )
})

test('the same numbers are told and listed', () => {
  const spec = toSpec({ kind: 'bar', x: 'country', y: [{ column: 'revenue', aggregate: 'sum' }], title: 'Revenue' })
  const data = buildChartData(sales, spec)
  expect(describeChart(data, spec)).toBe(
    'Bar chart "Revenue": Sum of revenue by country. Sum of revenue: 2 points, lowest 5 at FR, highest 116.5 at DE.',
  )
  expect(listTableRows(data)).toEqual([
    { x: 'DE', values: [116.5] },
    { x: 'FR', values: [5] },
  ])
})
