import { expect, test } from 'vitest'
import { createPace } from './long-texts.ts'

test('long texts of a workspace come one after the other, and those of another do not wait for them', () => {
  const pace = createPace()
  expect(pace.reserve(1, 200_000, 0)).toBe(0)
  expect(pace.reserve(1, 100_000, 0)).toBe(800)
  expect(pace.reserve(1, 100_000, 200)).toBe(1000)
  expect(pace.reserve(2, 200_000, 200)).toBe(0)
  expect(pace.reserve(1, 200_000, 5000)).toBe(0)
})

test('short texts never wait', () => {
  const pace = createPace()
  pace.reserve(1, 200_000, 0)
  expect(pace.reserve(1, 20_000, 0)).toBe(0)
})

test('of a flood those are refused that would wait longest, until the others have had their turn', () => {
  const pace = createPace()
  const waits = Array.from({ length: 20 }, () => pace.reserve(1, 200_000, 0))
  expect(waits.filter((wait) => wait !== undefined).at(-1)).toBe(9600)
  expect(waits.at(-1)).toBeUndefined()
  expect(pace.reserve(1, 200_000, 2000)).toBe(8400)
})
