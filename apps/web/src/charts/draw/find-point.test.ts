import { expect, test } from 'vitest'
import type { ChartData } from '../data/chart-data.ts'
import { findNearest, findSlice, findSliceMiddle, movePoint, toShares } from './find-point.ts'

const data: ChartData = {
  axis: 'number',
  xTitle: 'x',
  unit: null,
  categories: [],
  series: [
    { name: 'a', color: 'chart-0', points: [0, 10, 20, 30].map((x) => [x, x]) },
    { name: 'b', color: 'chart-1', points: [5, 21].map((x) => [x, x]) },
  ],
  notes: [],
  problem: null,
}

test('the nearest point is found by its x', () => {
  const points = data.series[0]?.points ?? []
  expect([-5, 4, 6, 29, 99].map((x) => findNearest(points, x))).toEqual([0, 0, 1, 3, 3])
})

test('keys walk through points and series that are shown, and stop at the ends', () => {
  const move = (key: string, active: { series: number; point: number } | null) =>
    movePoint(data, [0, 1], { key, active })
  expect(move('ArrowRight', null)).toEqual({ series: 0, point: 0 })
  expect(move('ArrowRight', { series: 0, point: 3 })).toEqual({ series: 0, point: 3 })
  expect(move('ArrowDown', { series: 0, point: 2 })).toEqual({ series: 1, point: 1 })
  expect(move('ArrowUp', { series: 1, point: 0 })).toEqual({ series: 0, point: 0 })
  expect(move('End', { series: 0, point: 1 })).toEqual({ series: 0, point: 3 })
  expect(move('Escape', { series: 0, point: 1 })).toBeNull()
  expect(move('x', null)).toBeUndefined()
  expect(movePoint(data, [1], { key: 'ArrowLeft', active: { series: 0, point: 3 } })).toEqual({ series: 1, point: 1 })
})

test('the slice of a pie is found under the pointer: from the top, clockwise, without what is hidden', () => {
  const shares = toShares(data, (x) => x === 30)
  expect(shares).toEqual([0, 1 / 3, 2 / 3, 0])
  expect(findSlice(shares, [0.1, -0.5])).toBe(1)
  expect(findSlice(shares, [-0.5, 0])).toBe(2)
  expect(findSlice(shares, [0.9, 0.9])).toBeNull()
  expect(
    findSlice(
      toShares(data, () => true),
      [0, -0.5],
    ),
  ).toBeNull()
  for (const at of [1, 2]) expect(findSlice(shares, findSliceMiddle(shares, at))).toBe(at)
})
