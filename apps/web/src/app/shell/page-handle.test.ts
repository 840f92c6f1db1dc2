import { expect, test } from 'vitest'
import { findBackPath, buildCrumbs, documentTitle } from './page-handle.ts'

const matches = [
  { pathname: '/', handle: undefined },
  { pathname: '/profile', handle: { title: 'Profile settings', back: '/workspaces' } },
  { pathname: '/profile/password', handle: { title: 'Password' } },
]

test('the title begins with the most specific part', () => {
  expect(documentTitle(matches)).toBe('Password · Profile settings · Trellis')
  expect(documentTitle([])).toBe('Trellis')
})

test('the breadcrumbs go the other way', () => {
  expect(buildCrumbs(matches)).toEqual([
    { label: 'Profile settings', to: '/profile' },
    { label: 'Password', to: '/profile/password' },
  ])
})

test('the nearest page decides on the back button', () => {
  expect(findBackPath(matches)).toBe('/workspaces')
  expect(findBackPath(matches.slice(0, 1))).toBeUndefined()
})
