import { AccessTokenCreate, TokenScope } from '@trellis/contract/tokens/tokens.endpoints'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { LIFETIMES, SCOPES, formatScopes, getExpiryState } from './token-choices.ts'

test('every scope of the contract can be chosen, and every lifetime is one the server takes', () => {
  expect(SCOPES.map((scope) => scope.value)).toEqual(TokenScope.options)
  for (const { value } of LIFETIMES) {
    const days = value === '' ? null : Number(value)
    expect(z.safeParse(AccessTokenCreate, { name: 'x', scopes: ['read'], days }).success).toBe(true)
  }
})

test('scopes read in their own order', () => {
  expect(formatScopes(['admin', 'read'])).toBe('Read, Admin')
})

test('a token runs, runs out soon, is over, or never ends', () => {
  const now = new Date('2026-03-01T00:00:00Z')
  const at = (expires_at: string | null) => getExpiryState({ expires_at }, now)
  expect([at(null), at('2026-06-01T00:00:00Z'), at('2026-03-05T00:00:00Z'), at('2026-03-01T00:00:00Z')]).toEqual([
    'never',
    'running',
    'soon',
    'over',
  ])
})
