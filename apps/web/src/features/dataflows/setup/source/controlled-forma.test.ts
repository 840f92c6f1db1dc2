import { expect, test } from 'vitest'
import { isFilledAlike } from './controlled-forma.ts'

test('a section in which nothing stands is as good as none; values that differ are not alike', () => {
  expect(isFilledAlike({ data: { stream: 'orders' }, period: {} }, { data: { stream: 'orders' } })).toBe(true)
  expect(isFilledAlike({ data: { stream: 'orders' } }, { data: { stream: 'orders' }, period: {} })).toBe(true)
  expect(isFilledAlike({ data: { stream: 'orders', which: 'all' } }, { data: { stream: 'orders' } })).toBe(false)
  expect(isFilledAlike({ data: { stream: 'orders' } }, {})).toBe(false)
})
