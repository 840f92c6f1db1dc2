import { expect, test } from 'vitest'
import { findNewlyOpen, findOpenScopes } from './any-address.ts'

const NOW = new Date('2026-01-02T00:00:00Z')
const rule = (cidr: string, database_profile_id: number | null = null, expires_at: Date | null = null) => ({
  cidr,
  database_profile_id,
  expires_at,
})
const listOpen = (...rules: ReturnType<typeof rule>[]) =>
  findOpenScopes(rules, NOW).map((scope) => [scope.profileId, scope.family, scope.rules.map((other) => other.cidr)])

test('every address, alone or in parts', () => {
  expect(listOpen(rule('0.0.0.0/0'))).toEqual([[null, 'IPv4', ['0.0.0.0/0']]])
  expect(listOpen(rule('::/0'), rule('10.0.0.0/8'))).toEqual([[null, 'IPv6', ['::/0']]])
  expect(listOpen(rule('0.0.0.0/1'), rule('128.0.0.0/1'), rule('10.0.0.0/8'))).toEqual([
    [null, 'IPv4', ['0.0.0.0/1', '128.0.0.0/1']],
  ])
  expect(listOpen(rule('0.0.0.0/1'), rule('128.0.0.0/2'), rule('192.0.0.0/2'))).toHaveLength(1)
  expect(listOpen(rule('0.0.0.0/1'), rule('0.0.0.0/1'))).toEqual([])
  expect(listOpen(rule('0.0.0.0/1'), rule('64.0.0.0/2'), rule('192.0.0.0/2'))).toEqual([])
  expect(listOpen(rule('::/1'), rule('128.0.0.0/1'))).toEqual([])
})

test('a half for one profile and a half for every login is everything for that profile', () => {
  expect(listOpen(rule('0.0.0.0/1'), rule('128.0.0.0/1', 7), rule('128.0.0.0/2', 8))).toEqual([
    [7, 'IPv4', ['0.0.0.0/1', '128.0.0.0/1']],
  ])
})

test('a rule that has ended lets nothing in', () => {
  expect(listOpen(rule('0.0.0.0/0', null, new Date('2026-01-01T00:00:00Z')))).toEqual([])
})

test('what was open before is not asked about again', () => {
  const open = [rule('0.0.0.0/0')]
  expect(findNewlyOpen([], open, NOW)).toEqual(['IPv4'])
  expect(findNewlyOpen(open, [...open, rule('10.0.0.0/8'), rule('0.0.0.0/0', 7)], NOW)).toEqual([])
  expect(findNewlyOpen([rule('0.0.0.0/0', 7)], open, NOW)).toEqual(['IPv4'])
  expect(findNewlyOpen(open, [...open, rule('::/0')], NOW)).toEqual(['IPv6'])
})
