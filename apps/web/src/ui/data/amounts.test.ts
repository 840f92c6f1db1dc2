import { expect, test } from 'vitest'
import { formatBytes, formatCount, formatEstimate, formatShare, shortCount } from './amounts.ts'

test('sizes change their unit before four digits are needed', () => {
  expect([0, 512, 1024, 1_048_575, 3_565_158, 5 * 1024 ** 4].map(formatBytes)).toEqual([
    '0 B',
    '512 B',
    '1.0 KB',
    '1.0 MB',
    '3.4 MB',
    '5.0 TB',
  ])
})

test('an estimate is said as one, and an unknown one is not a zero', () => {
  expect([formatEstimate(1_234_567), formatEstimate(0), formatEstimate(null)]).toEqual([
    'about 1.2 M',
    'about 0',
    'unknown',
  ])
  expect([812, 9_994, 48_400, 999_600, 2_000_000_000].map(shortCount)).toEqual([
    '812',
    '9,994',
    '48 k',
    '1.0 M',
    '2.0 B',
  ])
})

test('a few among many are neither none nor all', () => {
  expect([0, 0.0001, 0.5, 0.9999, 1].map(formatShare)).toEqual(['0 %', '< 1 %', '50 %', '> 99 %', '100 %'])
  expect([formatCount(1, 'table'), formatCount(1200, 'table')]).toEqual(['1 table', '1,200 tables'])
})
