import { expect, test } from 'vitest'
import { getNextPercent, getStage, STAGES } from './creation-progress.ts'

const run = (ticks: number, state: 'provisioning' | 'online' | 'failed', from = 0) => {
  let percent = from
  for (let at = 0; at < ticks; at += 1) percent = getNextPercent(percent, state)
  return percent
}

test('a workspace that is ready fills the bar in 70 ticks, not in fewer', () => {
  expect(run(69, 'online')).toBeLessThan(100)
  expect(run(71, 'online')).toBe(100)
})

test('while the database is being made the bar never claims success', () => {
  expect(getStage(run(10_000, 'provisioning'))).toBe('Creating your data canvas...')
  expect(getStage(run(20, 'online', run(10_000, 'provisioning')))).toBe('Workspace successfully set up!')
})

test('a failure stops it where it is', () => {
  expect(run(30, 'failed', 40)).toBe(40)
})

test('the stages change at 25, 50 and 75 percent', () => {
  expect([0, 24.9, 25, 49.9, 50, 74.9, 75, 100].map(getStage)).toEqual([
    STAGES[0],
    STAGES[0],
    STAGES[1],
    STAGES[1],
    STAGES[2],
    STAGES[2],
    STAGES[3],
    STAGES[3],
  ])
})
