import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseCron } from '../schedules/schedule.ts'
import type { TriggeredBlock } from './start-triggered-runs.ts'
import { TRIGGER_CHANGED_REASON, startTriggeredRuns } from './start-triggered-runs.ts'
import type { TriggerEvent } from './events.ts'
import type { TriggerStore } from './ports.ts'
import type { Branch, BranchName, Trigger } from './trigger.ts'
import { NO_TRIGGER, toActivityBranch, parseTrigger } from './trigger.ts'
import { decideFirings } from './decide-firings.ts'

const SCHEDULE: Branch = { name: 'schedule', schedule: parseCron('0 0 * * ? *', 'UTC') }
const activity = (blockId: string): Branch => ({ name: toActivityBranch(blockId), blockId })
const trigger = (scope: Trigger['scope'], ...branches: Branch[]): Trigger => ({ scope, branches })
const event = (branch: BranchName, at: number, id = `${branch}@${at}`): TriggerEvent => ({ id, branch, at })
const A = toActivityBranch('a')
const B = toActivityBranch('b')

describe('decision table', () => {
  const both = (scope: Trigger['scope']) => trigger(scope, SCHEDULE, activity('a'))
  test.each<[string, Trigger, TriggerEvent[], string[][], string[]]>([
    ['no trigger, events', NO_TRIGGER, [event(A, 1)], [], []],
    ['any, nothing', both('any'), [], [], []],
    ['any, schedule', both('any'), [event('schedule', 1)], [['schedule@1']], []],
    ['any, activity', both('any'), [event(A, 1)], [[`${A}@1`]], []],
    ['any, both', both('any'), [event(A, 2), event('schedule', 1)], [['schedule@1'], [`${A}@2`]], []],
    ['any, twice the same branch', both('any'), [event(A, 1), event(A, 2)], [[`${A}@1`], [`${A}@2`]], []],
    ['all, nothing', both('all'), [], [], []],
    ['all, schedule alone', both('all'), [event('schedule', 1)], [], ['schedule@1']],
    ['all, activity alone', both('all'), [event(A, 1)], [], [`${A}@1`]],
    ['all, both', both('all'), [event(A, 2), event('schedule', 1)], [['schedule@1', `${A}@2`]], []],
    ['all, one branch twice', both('all'), [event(A, 1), event(A, 2)], [], [`${A}@1`, `${A}@2`]],
    [
      'all, the oldest of each is used',
      both('all'),
      [event(A, 2), event(A, 1), event('schedule', 3)],
      [[`${A}@1`, 'schedule@3']],
      [`${A}@2`],
    ],
    ['all, one branch only', trigger('all', activity('a')), [event(A, 1), event(A, 2)], [[`${A}@1`], [`${A}@2`]], []],
    ['the same event told twice', both('any'), [event(A, 1), event(A, 1)], [[`${A}@1`]], []],
  ])('%s', (...[, givenTrigger, events, firings, waiting]) => {
    const decision = decideFirings(givenTrigger, events)
    expect(decision.firings.map(({ eventIds }) => eventIds)).toEqual(firings)
    expect(decision.waiting.map(({ id }) => id)).toEqual(waiting)
  })
  test('events of a branch that was taken away are told apart', () => {
    expect(decideFirings(trigger('any', activity('a')), [event(B, 1)]).stale).toEqual([event(B, 1)])
    expect(decideFirings(NO_TRIGGER, [event(B, 1)]).stale).toEqual([event(B, 1)])
  })
})

const branches: readonly Branch[] = [SCHEDULE, activity('a'), activity('b'), activity('c')]
const anyTrigger = fc.record({
  scope: fc.constantFrom('any', 'all', 'none'),
  branches: fc.subarray([...branches], { minLength: 1 }),
})
const anyEvents = fc.uniqueArray(
  fc.record({ branch: fc.constantFrom(...branches.map(({ name }) => name)), at: fc.integer({ min: 0, max: 50 }) }),
  { selector: ({ branch, at }) => `${branch}@${at}`, maxLength: 30 },
)

function reference({ scope, branches }: Trigger, events: readonly TriggerEvent[]): string[][] {
  const lines = new Map(branches.map(({ name }) => [name, [] as string[]]))
  const fired: string[][] = []
  for (const { id, branch } of events.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))) {
    const line = lines.get(branch)
    if (!line || scope === 'none') continue
    if (scope === 'any') fired.push([id])
    else line.push(id)
    if (scope === 'all' && [...lines.values()].every((line) => line.length > 0)) {
      fired.push([...lines.values()].map((line) => line.shift() ?? ''))
    }
  }
  return fired.map((ids) => ids.toSorted())
}

test('agrees with a machine that takes one token after the other', () => {
  fc.assert(
    fc.property(anyTrigger, anyEvents, fc.infiniteStream(fc.nat()), (given, drafts, shuffle) => {
      const events = drafts.map(({ branch, at }) => event(branch, at))
      const mixed = events
        .map((triggerEvent) => [shuffle.next().value, triggerEvent] as const)
        .toSorted(([a], [b]) => a - b)
      const decision = decideFirings(
        given,
        mixed.map(([, triggerEvent]) => triggerEvent),
      )
      expect(decision.firings.map(({ eventIds }) => eventIds.toSorted())).toEqual(reference(given, events))
      const used = decision.firings.flatMap(({ eventIds }) => eventIds)
      const all = [...used, ...decision.waiting.map(({ id }) => id), ...decision.stale.map(({ id }) => id)]
      expect(all.toSorted()).toEqual(events.map(({ id }) => id).toSorted())
    }),
  )
})

function memoryStore(isCancelled: (eventIds: readonly string[]) => boolean = () => false) {
  const cancelled: (readonly string[])[] = []
  const events = new Map<string, TriggerEvent & { state: string }>()
  const runs: { id: string; eventIds: readonly string[]; isWaiting: boolean; isEnded: boolean }[] = []
  const mark = (ids: readonly string[], state: string) => {
    for (const id of ids) {
      const known = events.get(id)
      if (known?.state !== 'unused' && !known?.state.startsWith('run')) throw new Error(`${id} used twice`)
      events.set(id, { ...known, state })
    }
  }
  const store: TriggerStore = {
    async listUnusedEvents() {
      return [...events.values()].filter(({ state }) => state === 'unused')
    },
    async countActive() {
      return runs.filter(({ isWaiting, isEnded }) => !isWaiting && !isEnded).length
    },
    async findWaiting() {
      return runs.find(({ isWaiting }) => isWaiting)
    },
    async addRun({ eventIds, isWaiting }) {
      const id = `run${runs.length}`
      runs.push({ id, eventIds, isWaiting, isEnded: false })
      mark(eventIds, id)
    },
    async isCancelled(_, eventIds) {
      return isCancelled(eventIds)
    },
    async addCancelled(_, eventIds) {
      cancelled.push(eventIds)
      mark(eventIds, 'cancelled')
    },
    async replaceEvents(runId, eventIds, reason) {
      const run = runs.find(({ id }) => id === runId)
      if (!run) throw new Error('no such run')
      mark(run.eventIds, reason)
      mark(eventIds, runId)
      run.eventIds = eventIds
    },
    async dropEvents(_, ids, reason) {
      mark(ids, reason)
    },
  }
  const tell = async (block: TriggeredBlock, event: TriggerEvent) => {
    if (!events.has(event.id)) events.set(event.id, { ...event, state: 'unused' })
    await startTriggeredRuns(store, block)
  }
  return { store, tell, events, runs, cancelled }
}

describe('telling blocks of events', () => {
  const block = (trigger: Trigger, overlap: TriggeredBlock['overlap']): TriggeredBlock => ({
    id: 'x',
    trigger,
    overlap,
  })

  test('told out of order and twice: every event is used once', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTrigger,
        anyEvents,
        fc.constantFrom('parallel', 'queue', 'skip'),
        async (given, drafts, overlap) => {
          const { tell, events, runs } = memoryStore()
          const told = drafts.map(({ branch, at }) => event(branch, at))
          const all = [...told, ...told.toReversed()]
          for (const triggerEvent of all) await tell(block(given, overlap), triggerEvent)
          const expected = reference(given, told).length
          const names = new Set(given.branches.map(({ name }) => name))
          if (overlap === 'parallel') expect(runs.length).toBe(expected)
          else expect(runs.length).toBe(Math.min(expected, overlap === 'queue' ? 2 : 1))
          for (const { eventIds } of runs) {
            const usedBranchNames = eventIds.map((id) => events.get(id)?.branch)
            expect(new Set(usedBranchNames).size).toBe(given.scope === 'all' ? names.size : 1)
            expect(usedBranchNames.length).toBe(given.scope === 'all' ? names.size : 1)
          }
          expect(runs.filter(({ isWaiting }) => isWaiting).length).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('what belongs to a cancelled flow run is recorded, and everything else goes as if it had never come', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.boolean(), fc.boolean()), { maxLength: 12 }),
        fc.constantFrom('parallel', 'queue', 'skip'),
        async (drafts, overlap) => {
          const givenTriggeredBlock = block(trigger('any', SCHEDULE), overlap)
          const told = drafts.map(([isCancelled, endsFirst], at) => ({
            isCancelled,
            endsFirst,
            event: event('schedule', at),
          }))
          const gone = new Set(told.filter((item) => item.isCancelled).map((item) => item.event.id))
          const play = async (some: typeof told) => {
            const memory = memoryStore((ids) => ids.some((id) => gone.has(id)))
            for (const { event: triggerEvent, endsFirst, isCancelled } of some) {
              const active = memory.runs.find(({ isEnded, isWaiting }) => !isEnded && !isWaiting)
              if (endsFirst && !isCancelled && active) active.isEnded = true
              await memory.tell(givenTriggeredBlock, triggerEvent)
            }
            return memory
          }
          const all = await play(told)
          const others = await play(told.filter((item) => !item.isCancelled))
          expect(all.runs).toEqual(others.runs)
          expect(all.cancelled.flat()).toEqual([...gone])
          for (const [id, { state }] of others.events) expect(all.events.get(id)?.state).toBe(state)
        },
      ),
      { numRuns: 100 },
    )
  })

  test('queue: the newest waits, the one before is recorded', async () => {
    const { tell, events, runs } = memoryStore()
    for (const at of [1, 2, 3]) await tell(block(trigger('any', SCHEDULE), 'queue'), event('schedule', at))
    expect(runs.map(({ eventIds, isWaiting }) => [...eventIds, isWaiting])).toEqual([
      ['schedule@1', false],
      ['schedule@3', true],
    ])
    expect(events.get('schedule@2')?.state).toMatch(/newer due time took its place/)
  })

  test('skip: what comes meanwhile is recorded', async () => {
    const { tell, events, runs } = memoryStore()
    for (const at of [1, 2]) await tell(block(trigger('any', SCHEDULE), 'skip'), event('schedule', at))
    expect(runs.length).toBe(1)
    expect(events.get('schedule@2')?.state).toMatch(/skips what comes meanwhile/)
  })

  test('after a change of the trigger what it no longer waits for is dropped with the reason', async () => {
    const { store, tell, events, runs } = memoryStore()
    await tell(block(trigger('all', SCHEDULE, activity('a')), 'queue'), event(A, 1))
    await startTriggeredRuns(store, block(trigger('all', SCHEDULE), 'queue'))
    expect(events.get(`${A}@1`)?.state).toBe(TRIGGER_CHANGED_REASON)
    expect(runs).toEqual([])
  })
})

describe('from the form', () => {
  const value = { scheduleType: 'Interval Schedule', scheduleArgs: { hourInterval: 1, minutesInterval: 0 } } as const
  test('cards become branches; empty ones are left out', () => {
    const actions = {
      p: { action: 'Activity', order: 0, actionValue: { taskBlockTrellisCode: 'a' } },
      q: { action: 'Activity', order: 1, actionValue: { taskBlockTrellisCode: '' } },
      r: { action: 'Schedule', order: 2, actionValue: value },
    } as const
    expect(parseTrigger({ eventEvaluationType: 'Or', actions, isFormaComplete: true }, 7)).toEqual({
      scope: 'any',
      branches: [
        { name: A, blockId: 'a' },
        { name: 'schedule', schedule: { kind: 'interval', anchor: 7, everyMs: 3_600_000 } },
      ],
    })
    expect(() => parseTrigger({ eventEvaluationType: 'And', actions, isFormaComplete: true }, 7)).toThrow(
      /not complete/,
    )
  })
  test('without cards nothing starts it', () => {
    expect(parseTrigger({ eventEvaluationType: 'And', actions: {}, isFormaComplete: true }, 0)).toEqual(NO_TRIGGER)
  })
})
