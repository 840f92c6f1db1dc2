import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCron } from '../schedules/schedule.ts'
import { listDueTimes } from '../schedules/due-times.ts'
import type { Branch, Trigger } from '../triggers/trigger.ts'
import { NO_TRIGGER, toActivityBranch } from '../triggers/trigger.ts'
import type { SimulatedBlock, SimulationResult } from './simulate.ts'
import { MAX_SIMULATED_EVENTS, simulate } from './simulate.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const from = Date.parse('2026-10-15T00:00:00Z')
const at = (text: string, zone = 'UTC'): Branch => ({ name: 'schedule', schedule: parseCron(text, zone) })
const after = (blockId: string): Branch => ({ name: toActivityBranch(blockId), blockId })
const block = (id: string, trigger: Trigger | Branch, given: Partial<SimulatedBlock> = {}): SimulatedBlock => ({
  id,
  trigger: 'scope' in trigger ? trigger : { scope: 'any', branches: [trigger] },
  overlap: 'queue',
  expectedMs: 5 * MINUTE,
  ...given,
})
const filterRuns = ({ runs }: SimulationResult, id: string) => runs.filter(({ blockId }) => blockId === id)

describe('sixty days ahead', () => {
  test('a daily chain, over a change of clocks', () => {
    const result = simulate({
      from,
      slots: 4,
      blocks: [
        block('orders', at('30 1 * * ? *', 'America/New_York')),
        block('spend', at('0 2 * * ? *', 'America/New_York'), { expectedMs: 45 * MINUTE }),
        block('roas', { scope: 'all', branches: [after('orders'), after('spend')] }),
        block('by hand', NO_TRIGGER),
      ],
    })
    expect(filterRuns(result, 'orders').length).toBe(60)
    expect(filterRuns(result, 'roas').length).toBe(60)
    for (const { by, startedAt } of filterRuns(result, 'roas')) {
      const ends = by.map((cause) => ('run' in cause ? result.runs[cause.run]?.endedAt : undefined))
      expect(startedAt).toBe(Math.max(...ends.map((end) => end ?? 0)))
    }
    expect(filterRuns(result, 'by hand')).toEqual([])
    expect(result.shifted.map(({ blockId, due }) => [blockId, due.shift])).toEqual([['orders', 'doubled']])
    expect(result).toMatchObject({ dropped: [], collisions: [], cutAt: null })
  })

  test('collisions and waiting for a slot', () => {
    const hourly = ['a', 'b', 'c'].map((id) => block(id, at('0 6 * * ? *')))
    const result = simulate({ from, days: 1, slots: 2, blocks: hourly })
    expect(result.collisions).toEqual([{ at: from + 360 * MINUTE, blockIds: ['a', 'b', 'c'] }])
    expect(result.runs.map(({ waitedFor, startedAt }) => [waitedFor, (startedAt - from) / MINUTE])).toEqual([
      ['nothing', 360],
      ['nothing', 360],
      ['a slot', 365],
    ])
    expect(result.mostAtOnce).toBe(2)
  })

  test('a run longer than its interval queues one, skips or goes beside', () => {
    const slow = (overlap: SimulatedBlock['overlap']) =>
      simulate({
        from,
        days: 1,
        slots: 10,
        blocks: [block('x', at('0,10,20,30 12 * * ? *'), { overlap, expectedMs: 25 * MINUTE })],
      })
    const minutes = (result: SimulationResult) => result.runs.map(({ startedAt }) => (startedAt - from) / MINUTE - 720)
    expect(minutes(slow('queue'))).toEqual([0, 25, 50])
    expect(slow('queue').runs.map(({ waitedFor }) => waitedFor)).toEqual(['nothing', 'itself', 'itself'])
    expect(slow('queue').dropped.map((item) => (item.at - from) / MINUTE - 720)).toEqual([10])
    expect(minutes(slow('skip'))).toEqual([0, 30])
    expect(minutes(slow('parallel'))).toEqual([0, 10, 20, 30])
    expect(slow('parallel').mostAtOnce).toBe(3)
  })

  test('a storm is cut and says where', () => {
    const minutely = Array.from({ length: 3 }, (_, id) => block(`${id}`, at('* * * * ? *'), { expectedMs: 1000 }))
    const { cutAt, runs } = simulate({ from, slots: 10, blocks: minutely })
    expect(cutAt).toBeGreaterThan(from)
    expect(runs.length).toBeLessThanOrEqual(MAX_SIMULATED_EVENTS)
  })

  test('every due time becomes a run, waits or is accounted for', () => {
    const rule = fc.constantFrom('0 * * * ? *', '0,30 8-10 * * ? *', '15 2 ? * 1-5 *', '10 1 * * ? *')
    const anyBlocks = fc.tuple(
      fc.record({
        text: rule,
        overlap: fc.constantFrom('queue', 'skip', 'parallel'),
        minutes: fc.integer({ min: 1, max: 90 }),
      }),
      fc.record({
        text: rule,
        overlap: fc.constantFrom('queue', 'skip', 'parallel'),
        minutes: fc.integer({ min: 1, max: 90 }),
      }),
    )
    fc.assert(
      fc.property(anyBlocks, fc.integer({ min: 1, max: 3 }), (given, slots) => {
        const blocks = given.map(({ text, overlap, minutes }, id) =>
          block(`${id}`, at(text), { overlap, expectedMs: minutes * MINUTE }),
        )
        const last = block('z', { scope: 'all', branches: [after('0'), after('1')] }, { overlap: 'parallel' })
        const days = 5
        const result = simulate({ from, days, slots, blocks: [...blocks, last] })
        for (const { id, trigger, overlap } of blocks) {
          const [branch] = trigger.branches
          const due = branch && 'schedule' in branch ? listDueTimes(branch.schedule, from, from + days * DAY).length : 0
          const settled = filterRuns(result, id).length + result.dropped.filter(({ blockId }) => blockId === id).length
          expect(settled).toBeLessThanOrEqual(due)
          if (overlap !== 'parallel') expect(due - settled).toBeLessThanOrEqual(1)
          const times = filterRuns(result, id)
          if (overlap === 'parallel') continue
          for (const [at, run] of times.slice(1).entries())
            expect(run.startedAt).toBeGreaterThanOrEqual(times[at]?.endedAt ?? 0)
        }
        const ended = (id: string) =>
          filterRuns(result, id).filter(({ endedAt }) => endedAt <= from + days * DAY).length
        expect(filterRuns(result, 'z').length).toBeLessThanOrEqual(Math.min(ended('0'), ended('1')))
        expect(result.mostAtOnce).toBeLessThanOrEqual(slots)
        expect(result.runs.every((run, at) => run.startedAt >= (result.runs[at - 1]?.startedAt ?? 0))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

test('blocks that all wait for all others do not keep whoever looks waiting', () => {
  const never = Array.from({ length: 99 }, (_, at) => after(`never-${at}`))
  const waiting = Array.from({ length: 999 }, (_, at) =>
    block(`waiting-${at}`, { scope: 'all', branches: [after('clock'), ...never] }),
  )
  const blocks = [block('clock', at('* * * * ? *'), { expectedMs: 1000 }), ...waiting]
  const { runs, cutAt } = simulate({ from, slots: 4, blocks })
  expect(cutAt).toBeGreaterThan(from)
  expect(runs.length).toBeGreaterThan(500)
})
