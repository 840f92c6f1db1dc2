import { expect, test } from 'vitest'
import { findBackTarget, withEntry } from './back-target.ts'

test('goes to the latest earlier entry with another path', () => {
  const trail = { 0: '/workspaces', 1: '/profile/settings', 2: '/profile/settings' }
  expect(findBackTarget(trail, 2)).toEqual({ kind: 'step', delta: -2 })
  expect(findBackTarget({ 0: '/a', 1: '/b' }, 1)).toEqual({ kind: 'step', delta: -1 })
})

test('falls back when the person came from elsewhere', () => {
  expect(findBackTarget({ 3: '/profile/settings' }, 3)).toEqual({ kind: 'path', path: '/' })
  expect(findBackTarget({ 0: '/a', 2: '/c' }, 2, '/workspaces')).toEqual({ kind: 'path', path: '/workspaces' })
  expect(findBackTarget({ 0: '/a', 1: '/a' }, 1, '/workspaces')).toEqual({ kind: 'path', path: '/workspaces' })
})

test('a new page forgets what lay ahead, a revisited one does not', () => {
  const trail = { 0: '/a', 1: '/b', 2: '/c' }
  expect(withEntry(trail, 1, '/d')).toEqual({ 0: '/a', 1: '/d' })
  expect(withEntry(trail, 1, '/b')).toEqual(trail)
})
