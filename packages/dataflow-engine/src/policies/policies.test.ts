import { MISFIRE_POLICIES } from '@trellis/contract/dataflows/dataflow-words'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_MADE_UP, decideMisfires } from './misfire.ts'
import { decideOverlap } from './overlap.ts'
import { TICK_OUTCOMES, outcomeInWords } from './tick-outcome.ts'

describe('misfires', () => {
  const now = 1_000_000
  const late = [now - 400_000, now - 300_000, now - 200_000]
  test.each([
    ['latest', late, [now - 200_000], 'missed_older'],
    ['none', late, [], 'missed_late'],
    ['all', late, late, null],
    ['latest', [...late, now - 10_000], [now - 10_000], 'missed_older'],
    ['none', [...late, now - 10_000], [now - 10_000], 'missed_late'],
    ['all', [...late, now - 10_000], [...late, now - 10_000], null],
    ['latest', [now - 60_000, now], [now - 60_000, now], null],
    ['latest', [], [], null],
  ] as const)('%s of %j', (...[policy, due, run, outcome]) => {
    const decision = decideMisfires({ due, now, policy })
    expect(decision.run).toEqual(run)
    expect(new Set(decision.drop.map((one) => one.outcome))).toEqual(new Set(outcome === null ? [] : [outcome]))
  })
  test('no due time is lost or doubled, and no herd starts', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 500 }).map((minutes) => minutes * 60_000)),
        fc.constantFrom(...MISFIRE_POLICIES),
        fc.integer({ min: 0, max: 600_000 }),
        (due, policy, graceMs) => {
          const { run, drop } = decideMisfires({ due, now: 30_000_000, policy, graceMs })
          const both = [...run, ...drop.map(({ at }) => at)].toSorted((a, b) => a - b)
          expect(both).toEqual([...new Set(due)].toSorted((a, b) => a - b))
          expect(run).toEqual(run.toSorted((a, b) => a - b))
          const late = run.filter((at) => 30_000_000 - at > graceMs)
          expect(late.length).toBeLessThanOrEqual({ all: MAX_MADE_UP, latest: 1, none: 0 }[policy])
          if (policy === 'latest' && due.length > 0) expect(run.at(-1)).toBe(Math.max(...due))
        },
      ),
    )
  })
})

describe('overlap', () => {
  test.each([
    ['queue', 0, null, 'start'],
    ['queue', 1, null, 'wait'],
    ['queue', 1, 'r', 'replace'],
    ['queue', 0, 'r', 'replace'],
    ['skip', 0, null, 'start'],
    ['skip', 1, null, 'drop'],
    ['skip', 0, 'r', 'drop'],
    ['skip', 1, 'r', 'drop'],
    ['parallel', 0, null, 'start'],
    ['parallel', 7, 'r', 'start'],
  ] as const)('%s with %i going on and %s waiting', (...[policy, active, waiting, expected]) => {
    expect(decideOverlap(policy, { active, waiting }).do).toBe(expected)
  })
})

test('every outcome has its own words', () => {
  expect(new Set(TICK_OUTCOMES.map(outcomeInWords)).size).toBe(TICK_OUTCOMES.length)
})
