import { expect, test } from 'vitest'
import { parsePath } from './router-paths.ts'

test('reads account and workspace from an address', () => {
  expect(parsePath('/acme/main/ai/chats')).toEqual({ account: 'acme', workspace: 'main', rest: ['ai', 'chats'] })
  expect(parsePath('/acme/main')).toEqual({ account: 'acme', workspace: 'main', rest: [] })
})

test('account pages have no workspace', () => {
  expect(parsePath('/acme/settings')).toEqual({ account: 'acme', workspace: undefined, rest: ['settings'] })
  expect(parsePath('/acme')).toEqual({ account: 'acme', workspace: undefined, rest: [] })
})

test("the product's own words are no accounts", () => {
  for (const path of ['/', '/profile/settings', '/plan-activation/7', '/docs/x/ai']) {
    expect(parsePath(path).account).toBeUndefined()
  }
})
