import { MISFIRE_POLICIES } from '@trellis/contract/dataflows/dataflow-words'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActiveRun, Demand } from './admission.ts'
import { chooseAdmitted } from './admission.ts'
import { MAX_CATCH_UP_RUNS, decideMisfires } from './misfire.ts'
import { decideOverlap } from './overlap.ts'
import { TICK_OUTCOMES, describeOutcome } from './tick-outcome.ts'

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
    expect(new Set(decision.drop.map((item) => item.outcome))).toEqual(new Set(outcome === null ? [] : [outcome]))
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
          expect(late.length).toBeLessThanOrEqual({ all: MAX_CATCH_UP_RUNS, latest: 1, none: 0 }[policy])
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
  expect(new Set(TICK_OUTCOMES.map(describeOutcome)).size).toBe(TICK_OUTCOMES.length)
})

describe('admission', () => {
  const run = (id: string, workspace: string, ...credentials: string[]): Demand => ({
    id,
    workspace,
    credentials,
    sessions: 1,
  })
  const own = (demand: Demand) => ({ ...demand, isOwn: true })
  const room = { free: 4, perWorkspace: 3, perCredential: 1, sessionsPerWorkspace: 4 }
  test('one run of each workspace at a time, the workspace with the fewest runs first', () => {
    const queued = [run('a1', 'a'), run('a2', 'a'), run('b1', 'b')]
    expect(chooseAdmitted(queued, [], room)).toEqual(['a1', 'b1'])
    expect(chooseAdmitted(queued, [own(run('a0', 'a'))], { ...room, free: 1 })).toEqual(['b1'])
  })
  test('a run held up by its credential lets others pass', () => {
    const active = [{ ...run('0', 'b', 'ads'), isOwn: false }]
    expect(chooseAdmitted([run('1', 'a', 'ads'), run('2', 'a')], active, room)).toEqual(['2'])
    expect(chooseAdmitted([run('1', 'a', 'ads', 'ads')], [], room)).toEqual(['1'])
  })
  test('runs of other workers take sessions, not places', () => {
    const others = ['1', '2', '3'].map((id) => ({ ...run(id, 'a'), isOwn: false }))
    expect(chooseAdmitted([run('4', 'a')], others, room)).toEqual(['4'])
    expect(chooseAdmitted([run('5', 'a')], [...others, own(run('4', 'a'))], room)).toEqual([])
    expect(chooseAdmitted([run('5', 'b')], [...others, own(run('4', 'a'))], room)).toEqual(['5'])
  })
  test('nobody passes a run that waits for sessions, and one that needs more than there are runs alone', () => {
    const big = { ...run('big', 'a'), sessions: 9 }
    expect(chooseAdmitted([big, run('small', 'a')], [own(run('0', 'a'))], room)).toEqual([])
    expect(chooseAdmitted([big, run('small', 'a')], [], room)).toEqual(['big'])
    expect(chooseAdmitted([run('small', 'a')], [own(big)], room)).toEqual([])
  })
  test('no limit is passed, and who waits has a reason', () => {
    const demand = fc.record({
      workspace: fc.constantFrom('a', 'b', 'c'),
      credentials: fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 }),
      sessions: fc.integer({ min: 1, max: 3 }),
    })
    const limit = fc.integer({ min: 1, max: 4 })
    const limits = { perWorkspace: limit, perCredential: limit, sessionsPerWorkspace: fc.integer({ min: 3, max: 6 }) }
    fc.assert(
      fc.property(
        fc.array(demand, { maxLength: 20 }),
        fc.record({ free: fc.integer({ min: 1, max: 12 }), ...limits }),
        (drafts, room) => {
          const active: ActiveRun[] = []
          let queued: Demand[] = drafts.map((draft, at) => ({ ...draft, id: `${at}` }))
          for (let free = room.free; ;) {
            const ids = chooseAdmitted(queued, active, { ...room, free })
            if (ids.length === 0) break
            free -= ids.length
            for (const id of ids) active.push(...queued.filter((other) => other.id === id).map(own))
            queued = queued.filter(({ id }) => !ids.includes(id))
          }
          const inside = (name: string) => active.filter(({ workspace }) => workspace === name)
          const sessions = (name: string) => inside(name).reduce((sum, activeRun) => sum + activeRun.sessions, 0)
          const users = (name: string) => active.filter(({ credentials }) => credentials.includes(name)).length
          expect(active.length).toBeLessThanOrEqual(room.free)
          for (const name of ['a', 'b', 'c']) {
            expect(inside(name).length).toBeLessThanOrEqual(room.perWorkspace)
            expect(sessions(name)).toBeLessThanOrEqual(room.sessionsPerWorkspace)
          }
          for (const name of ['x', 'y', 'z']) expect(users(name)).toBeLessThanOrEqual(room.perCredential)
          const isHeldUp = ({ credentials }: Demand) =>
            credentials.some((credential) => users(credential) === room.perCredential)
          for (const waits of queued) {
            const front = queued.find((candidate) => candidate.workspace === waits.workspace && !isHeldUp(candidate))
            const isFull =
              active.length === room.free ||
              inside(waits.workspace).length === room.perWorkspace ||
              isHeldUp(waits) ||
              sessions(waits.workspace) + (front?.sessions ?? 0) > room.sessionsPerWorkspace
            expect(isFull).toBe(true)
          }
        },
      ),
    )
  })
})
