import { expect, test } from 'vitest'
import { toPlanChoice, findPlan } from './plan-choice.ts'

const GB = 1_073_741_824
const using = (users: number, workspaces: number, gb: number) => ({
  users,
  workspaces,
  trellis_managed_database_storage_used: gb * GB,
})
const little = using(1, 1, 1)

test('the current plan cannot be chosen again, the others can', () => {
  const standing = { current: 'team', next: null, usage: little } as const
  expect(toPlanChoice('team', standing)).toMatchObject({ isCurrent: true, canChoose: false, exceededLimits: [] })
  expect(toPlanChoice('basic', standing)).toMatchObject({ isCurrent: false, canChoose: true })
  expect(toPlanChoice('enterprise', standing)).toMatchObject({ canChoose: true })
})

test('a plan that current use does not fit into is blocked, one line a limit', () => {
  expect(toPlanChoice('basic', { current: 'team', next: null, usage: using(6, 3, 61.254) })).toMatchObject({
    canChoose: false,
    exceededLimits: [
      'User seats: 6 in use (Limit: 5)',
      'Workspaces: 3 created (Limit: 1)',
      'DB storage: 61.25 GB in use (Limit: 50.00 GB)',
    ],
  })
  expect(toPlanChoice('team', { current: 'enterprise', next: null, usage: using(11, 300, 1) }).exceededLimits).toEqual([
    'User seats: 11 in use (Limit: 10)',
  ])
  expect(toPlanChoice('enterprise', { current: 'team', next: null, usage: using(9999, 9999, 9999) }).canChoose).toBe(
    true,
  )
})

test('use exactly at the limit still fits', () => {
  expect(toPlanChoice('basic', { current: 'team', next: null, usage: using(5, 1, 50) }).canChoose).toBe(true)
})

test('the current plan is never called too small', () => {
  expect(toPlanChoice('basic', { current: 'basic', next: null, usage: using(50, 5, 500) }).exceededLimits).toEqual([])
})

test('a plan that is going to take over is not chosen twice', () => {
  expect(toPlanChoice('basic', { current: 'team', next: 'basic', usage: little })).toMatchObject({
    isNext: true,
    canChoose: false,
  })
})

test('going down, and team again while on team, shows what is lost first', () => {
  const needs = (current: 'basic' | 'team' | 'enterprise' | null, plan: 'basic' | 'team' | 'enterprise') =>
    toPlanChoice(plan, { current, next: null, usage: little }).needsConfirmation
  expect([needs('team', 'basic'), needs('enterprise', 'team'), needs('team', 'team')]).toEqual([true, true, true])
  expect([needs('basic', 'team'), needs('team', 'enterprise'), needs(null, 'basic')]).toEqual([false, false, false])
})

test('kinds of account without a plan of their own have none to leave', () => {
  expect(['basic', 'team', 'enterprise'].map(findPlan)).toEqual(['basic', 'team', 'enterprise'])
  expect(['enterprise_trellis', 'experimental_user', 'testing', 'internal'].map(findPlan)).toEqual([
    null,
    null,
    null,
    null,
  ])
})
