import { beforeEach, expect, test } from 'vitest'
import { readRecent, rememberPage, withPage } from './recent.ts'

beforeEach(() => sessionStorage.clear())

const page = (n: number) => ({ title: `Page ${n}`, path: `/${n}` })

test('the newest page is first and stands there once', () => {
  expect(withPage([page(1), page(2)], page(2))).toEqual([page(2), page(1)])
})

test('only a handful is kept', () => {
  for (let n = 1; n <= 9; n += 1) rememberPage(page(n))
  expect(readRecent().map((item) => item.path)).toEqual(['/9', '/8', '/7', '/6', '/5', '/4'])
})

test('damaged memory counts as none', () => {
  sessionStorage.setItem('trellis.recent', '{"a":1}')
  expect(readRecent()).toEqual([])
  sessionStorage.setItem('trellis.recent', '[')
  expect(readRecent()).toEqual([])
})
