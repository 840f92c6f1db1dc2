import { CreditsAmount, type Usage } from '@trellis/contract/billing/billing.schemas'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { parsePacks, PRICE_PER_STEP, formatPrice } from './credits-price.ts'
import { usageLines } from './usage-lines.ts'

const now = new Date('2026-11-15T12:00:00Z')
const usage: Usage = {
  users: 6,
  users_limit: 10,
  workspaces: 3,
  workspaces_limit: null,
  trellis_current_month_ai_tokens_available: 3000,
  trellis_current_month_ai_tokens_remaining: 480,
  trellis_purchased_ai_tokens_available: 300,
  trellis_purchased_ai_tokens_remaining: 275,
  trellis_free_ai_tokens_available: 0,
  trellis_free_ai_tokens_remaining: 0,
  trellis_managed_database_storage_available: 214_748_364_800,
  trellis_managed_database_storage_used: 1_610_612_736,
  credits_renew_at: '2026-12-01T00:00:00Z',
}
const findLine = (key: string, change: Partial<Usage> = {}) =>
  usageLines({ ...usage, ...change }, now).find((line) => line.key === key)

test('what remains on the wire is shown as what was used', () => {
  expect(findLine('month')).toMatchObject({ used: 2520, limit: 3000, note: 'Credits renew in 16 days.' })
  expect(findLine('purchased')).toMatchObject({ used: 25, limit: 300 })
})

test('free credits are hidden when there never were any', () => {
  expect(findLine('free')).toBeUndefined()
  const spent = { trellis_free_ai_tokens_available: 40, trellis_free_ai_tokens_remaining: 0 }
  expect(findLine('free', spent)).toMatchObject({ used: 40, limit: 40 })
})

test('storage is written in gigabytes, people and workspaces as numbers', () => {
  const storage = findLine('storage')
  expect(storage?.format(storage.used)).toBe('1.50 GB')
  expect(findLine('workspaces')).toMatchObject({ used: 3, limit: null })
  expect(findLine('users')?.format(12_000)).toBe('12,000')
})

test('the price is shown only for what can be bought', () => {
  expect(PRICE_PER_STEP).toBe('$2.50 per 100 credits')
  expect(['100', '300', ' 99900 ', '150', '', 'x', '0', '-100', '100000'].map(formatPrice)).toEqual([
    '$2.50',
    '$7.50',
    '$2,497.50',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect([parsePacks('100'), parsePacks('99900'), parsePacks('99950')]).toEqual([1, 999, undefined])
})

test('each rule of the amount has its own words', () => {
  const problem = (text: string) => z.safeParse(CreditsAmount, text).error?.issues[0]?.message
  expect(problem('   ')).toBe('Field required')
  expect(problem('ten')).toBe('Must be a number')
  expect(problem('-100')).toBe('Must be a positive number')
  expect(problem('0')).toBe('Must be a positive number')
  expect(problem('100000')).toBe('Maximum amount is 99,900')
  expect(problem('150')).toBe('Must be a multiple of 100')
  expect(problem('99900')).toBeUndefined()
})
