import { expect, test } from 'vitest'
import { getOtherTheme, resolveTheme } from './theme-mode.ts'

test('the preference decides on ordinary pages', () => {
  expect(resolveTheme('light', '/acme/main/dashboard')).toBe('light')
  expect(resolveTheme('dark', '/acme/main/dashboard')).toBe('dark')
  expect(resolveTheme('dark', '/workspaces')).toBe('dark')
})

test('AI pages are dark whatever the preference', () => {
  expect(resolveTheme('light', '/acme/main/ai')).toBe('dark')
  expect(resolveTheme('light', '/acme/main/ai/plan-change')).toBe('dark')
})

test('only the AI area itself counts, and never on exempt paths', () => {
  expect(resolveTheme('light', '/acme/main/sandbox/ai-core')).toBe('light')
  expect(resolveTheme('light', '/acme/ai')).toBe('light')
  expect(resolveTheme('light', '/acme/settings/ai')).toBe('light')
  expect(resolveTheme('light', '/docs/main/ai')).toBe('light')
})

test('switching goes back and forth', () => {
  expect(getOtherTheme('light')).toBe('dark')
  expect(getOtherTheme(getOtherTheme('light'))).toBe('light')
})
