import { expect, test } from 'vitest'
import { otherTheme, themeFor } from './theme-mode.ts'

test('the preference decides on ordinary pages', () => {
  expect(themeFor('light', '/acme/main/dashboard')).toBe('light')
  expect(themeFor('dark', '/acme/main/dashboard')).toBe('dark')
  expect(themeFor('dark', '/workspaces')).toBe('dark')
})

test('AI pages are dark whatever the preference', () => {
  expect(themeFor('light', '/acme/main/ai')).toBe('dark')
  expect(themeFor('light', '/acme/main/ai/plan-change')).toBe('dark')
})

test('only the AI area itself counts, and never on exempt paths', () => {
  expect(themeFor('light', '/acme/main/sandbox/ai-core')).toBe('light')
  expect(themeFor('light', '/acme/ai')).toBe('light')
  expect(themeFor('light', '/acme/settings/ai')).toBe('light')
  expect(themeFor('light', '/docs/main/ai')).toBe('light')
})

test('switching goes back and forth', () => {
  expect(otherTheme('light')).toBe('dark')
  expect(otherTheme(otherTheme('light'))).toBe('light')
})
