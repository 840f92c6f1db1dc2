import { expect, test } from 'vitest'
import { indexByLetter, findNextIndex } from './menu-keys.ts'

test('arrows go round and pass over rows that cannot be chosen', () => {
  const rows = [true, false, true]
  expect(findNextIndex('ArrowDown', -1, rows)).toBe(0)
  expect(findNextIndex('ArrowDown', 0, rows)).toBe(2)
  expect(findNextIndex('ArrowDown', 2, rows)).toBe(0)
  expect(findNextIndex('ArrowUp', 0, rows)).toBe(2)
  expect(findNextIndex('ArrowUp', -1, rows)).toBe(2)
  expect(findNextIndex('End', 0, [true, true, false])).toBe(1)
  expect(findNextIndex('Home', 2, [false, true, true])).toBe(1)
})

test('says nothing for other keys and for lists without a choice', () => {
  expect(findNextIndex('a', 0, [true])).toBeUndefined()
  expect(findNextIndex('ArrowDown', 0, [false, false])).toBeUndefined()
  expect(findNextIndex('ArrowDown', -1, [])).toBeUndefined()
})

test('a letter finds the next row that begins with it', () => {
  const texts = ['Profile', 'Password', 'Logout']
  expect(indexByLetter('p', 0, texts)).toBe(1)
  expect(indexByLetter('P', 1, texts)).toBe(0)
  expect(indexByLetter('l', -1, texts)).toBe(2)
  expect(indexByLetter('z', 0, texts)).toBeUndefined()
})
