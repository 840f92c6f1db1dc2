import { MISFIRE_POLICIES } from '@trellis/contract/dataflows/dataflow-words'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Demand } from './admission.ts'
import { admit } from './admission.ts'
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

describe('admission', () => {
  const run = (id: string, workspace: string, ...credentials: string[]): Demand => ({ id, workspace, credentials })
  const limits = { total: 4, perWorkspace: 3, perCredential: 1 }
  test('workspaces take turns', () => {
    const queued = [run('a1', 'a'), run('a2', 'a'), run('a3', 'a'), run('a4', 'a'), run('b1', 'b')]
    expect(admit(queued, [], limits)).toEqual(['a1', 'b1', 'a2', 'a3'])
    expect(admit(queued, [run('a0', 'a')], limits)).toEqual(['b1', 'a1', 'a2'])
  })
  test('a run held up by its credential lets others pass', () => {
    expect(admit([run('1', 'a', 'ads'), run('2', 'a', 'ads'), run('3', 'a')], [], limits)).toEqual(['1', '3'])
    expect(admit([run('1', 'a', 'ads', 'ads')], [], limits)).toEqual(['1'])
  })
  test('no limit is passed, and who waits has a reason', () => {
    const demand = fc.record({
      workspace: fc.constantFrom('a', 'b', 'c'),
      credentials: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
    })
    const limit = fc.integer({ min: 1, max: 4 })
    fc.assert(
      fc.property(
        fc.array(demand, { maxLength: 20 }),
        fc.record({ total: fc.integer({ min: 1, max: 12 }), perWorkspace: limit, perCredential: limit }),
        (drafts, limits) => {
          const queued = drafts.map((draft, at) => ({ ...draft, id: `${at}` }))
          const ids = admit(queued, [], limits)
          const started = queued.filter(({ id }) => ids.includes(id))
          const used = (holds: (one: Demand) => boolean) => started.filter(holds).length
          expect(new Set(ids).size).toBe(ids.length)
          expect(ids.length).toBeLessThanOrEqual(limits.total)
          for (const name of ['a', 'b', 'c']) {
            expect(used(({ workspace }) => workspace === name)).toBeLessThanOrEqual(limits.perWorkspace)
          }
          for (const name of ['x', 'y', 'z']) {
            expect(used(({ credentials }) => credentials.includes(name))).toBeLessThanOrEqual(limits.perCredential)
          }
          for (const waits of queued.filter(({ id }) => !ids.includes(id))) {
            const isFull =
              ids.length === limits.total ||
              used(({ workspace }) => workspace === waits.workspace) === limits.perWorkspace ||
              waits.credentials.some((one) => used((run) => run.credentials.includes(one)) === limits.perCredential)
            expect(isFull).toBe(true)
          }
        },
      ),
    )
  })
})
