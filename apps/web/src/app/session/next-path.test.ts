import { expect, test } from 'vitest'
import { initializePath, parseNextPath } from './next-path.ts'

const origin = 'https://trellis.example'

test.each(['/workspaces', '/acme/main/dashboard?tab=a#b'])('%s is kept', (next) => {
  expect(parseNextPath(next, origin)).toBe(next)
})

test.each([
  null,
  '',
  'workspaces',
  'https://evil.example/',
  '//evil.example/x',
  '/\\evil.example',
  '/\t/evil.example',
  '/../..//evil.example',
  'javascript:alert(1)',
  '/login',
  '/initialize-profile?next=/x',
])('%s is dropped', (next) => {
  expect(parseNextPath(next, origin)).toBeNull()
})

test('the next path is carried escaped', () => {
  expect(initializePath('/a?b=c&d')).toBe('/initialize-profile?next=%2Fa%3Fb%3Dc%26d')
  expect(initializePath(null)).toBe('/initialize-profile')
})
