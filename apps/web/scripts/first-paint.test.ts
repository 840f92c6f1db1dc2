import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { FIRST_PAINT } from './first-paint.ts'

interface Visit {
  path?: string
  stored?: unknown
  prefersDark?: boolean
  state?: unknown
  hasSso?: boolean
}

function paint({
  path = '/login',
  stored,
  prefersDark = false,
  state = null,
  hasSso = false,
}: Visit): Record<string, string> {
  const dataset: Record<string, string> = { theme: 'light' }
  runInNewContext(FIRST_PAINT, {
    document: { documentElement: { dataset }, querySelector: () => (hasSso ? {} : null) },
    location: { pathname: path },
    history: { state },
    localStorage: {
      getItem: () => (stored === undefined ? null : typeof stored === 'string' ? stored : JSON.stringify(stored)),
    },
    matchMedia: () => ({ matches: prefersDark }),
  })
  return dataset
}

const profile = (themeMode: string) => ({ id: 1, preferences: { themeMode } })

test('the stored preference wins over the system', () => {
  expect(paint({ path: '/x', stored: profile('dark') })['theme']).toBe('dark')
  expect(paint({ path: '/x', stored: profile('light'), prefersDark: true })['theme']).toBe('light')
})

test('without one, the system decides', () => {
  expect(paint({ prefersDark: true })['theme']).toBe('dark')
  expect(paint({ prefersDark: false })['theme']).toBe('light')
})

test.each(['{', 'null', '7', '{"preferences":null}', '{"preferences":{"themeMode":"<script>"}}'])(
  'stored data that makes no sense is passed over: %s',
  (stored) => {
    expect(paint({ stored, prefersDark: true })['theme']).toBe('dark')
  },
)

test('the AI area is dark', () => {
  expect(paint({ path: '/acme/main/ai/chats', stored: profile('light') })['theme']).toBe('dark')
  expect(paint({ path: '/acme/main/airports', stored: profile('light') })['theme']).toBe('light')
})

test('single sign-on has its place kept where it is set up', () => {
  expect(paint({ hasSso: true })).toHaveProperty('sso')
  expect(paint({})).not.toHaveProperty('sso')
})

test('a public page that is about to leave stays hidden, others do not', () => {
  expect(paint({ path: '/login', stored: profile('light') })).toHaveProperty('checking')
  expect(paint({ path: '/reset' })).toHaveProperty('checking')
  expect(paint({ path: '/reset', state: { email: 'ada@example.com' } })).not.toHaveProperty('checking')
  expect(paint({ path: '/login' })).not.toHaveProperty('checking')
  expect(paint({ path: '/signup', stored: profile('light') })).toHaveProperty('checking')
  expect(paint({ path: '/forgot-password', stored: profile('light') })).not.toHaveProperty('checking')
})
