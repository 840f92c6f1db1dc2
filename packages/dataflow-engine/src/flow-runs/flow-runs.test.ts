import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toActivityBranch } from '../triggers/trigger.ts'
import { decideFirings } from '../triggers/decide-firings.ts'
import { type CausingEvent, chooseFlowRun } from './choose-flow-run.ts'
import { compareFlowRun, findMedian, measureWork } from './compare-flow-runs.ts'
import { type WaitingBlock, findExpectedBlocks, findRoots } from './expected-blocks.ts'
import { type BlockRun, findLatestRuns, findRetryable, summarizeFlowRun } from './flow-run-state.ts'

const tick = (nominalAt: number): CausingEvent => ({ nominalAt, source: null })
const success = (runId: number, flowRunId: number | null, dataflowId = 1): CausingEvent => ({
  nominalAt: null,
  source: { runId, flowRunId, dataflowId },
})

describe('which flow run a block run belongs to', () => {
  test.each<[string, CausingEvent[], ReturnType<typeof chooseFlowRun>]>([
    [
      'a due time starts one',
      [tick(60_000)],
      { do: 'start', flowRun: { cause: 'schedule', key: 'schedule:60000', nominalAt: 60_000, causeRunId: null } },
    ],
    ['a success within the dataflow goes on', [success(5, 9)], { do: 'join', flowRunId: 9 }],
    ['All over several flow runs joins the newest', [success(5, 9), success(4, 11)], { do: 'join', flowRunId: 11 }],
    ['All with a due time joins what it waited for', [tick(60_000), success(5, 9)], { do: 'join', flowRunId: 9 }],
    [
      'a success of another dataflow starts one that names it',
      [success(7, 3, 2)],
      { do: 'start', flowRun: { cause: 'event', key: 'event:7', nominalAt: null, causeRunId: 7 } },
    ],
    [
      'of another dataflow and its own, its own counts',
      [success(7, 30, 2), success(5, 9)],
      { do: 'join', flowRunId: 9 },
    ],
    [
      'a due time and a success of another dataflow',
      [tick(60_000), success(7, 3, 2)],
      { do: 'start', flowRun: { cause: 'schedule', key: 'schedule:60000', nominalAt: 60_000, causeRunId: 7 } },
    ],
    [
      'a run from before there were flow runs starts one',
      [success(5, null)],
      { do: 'start', flowRun: { cause: 'event', key: 'event:5', nominalAt: null, causeRunId: 5 } },
    ],
  ])('%s', (_, events, choice) => {
    expect(chooseFlowRun(1, events)).toEqual(choice)
  })

  test('the order in which events are told does not matter', () => {
    const event = fc.oneof(
      fc.nat(5).map((at) => tick(at * 1000)),
      fc
        .tuple(fc.nat(50), fc.option(fc.nat(9)), fc.constantFrom(1, 2))
        .map(([runId, flowRunId, dataflow]) => success(runId, flowRunId, dataflow)),
    )
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 6 }), (events) => {
        expect(chooseFlowRun(1, events.toReversed())).toEqual(chooseFlowRun(1, events))
      }),
    )
  })
})

interface Sim {
  runs: (BlockRun & { flowRun: number })[]
  events: { id: string; to: string; from: string | null; at: number; cause: CausingEvent; isUsed: boolean }[]
  flowRuns: Map<string, number>
}

function makeSim(blocks: readonly WaitingBlock[]) {
  const sim: Sim = { runs: [], events: [], flowRuns: new Map() }
  let clock = 0
  const addRun = (block: string, flowRun: number, root?: string) => {
    const id = sim.runs.length + 1
    sim.runs.push({
      id,
      root: root ?? `r${id}`,
      block,
      flowRun,
      status: 'QUEUED',
      isCancelled: false,
      needsDecision: false,
      startedAt: ++clock,
      finishedAt: null,
      rows: 1,
    })
  }
  const getFlowRun = (events: readonly CausingEvent[]) => {
    const choice = chooseFlowRun(1, events)
    if (choice.do === 'join') return choice.flowRunId
    const { key } = choice.flowRun
    const known = sim.flowRuns.get(String(key))
    if (known !== undefined) return known
    sim.flowRuns.set(String(key), sim.flowRuns.size + 1)
    return sim.flowRuns.size
  }
  const tell = (to: WaitingBlock, from: string | null, cause: CausingEvent) => {
    sim.events.push({ id: `e${sim.events.length}`, to: to.id, from, at: ++clock, cause, isUsed: false })
    const branches = to.waitsFor.map((blockId) => ({ name: toActivityBranch(blockId), blockId }))
    const unused = sim.events.filter((event) => event.to === to.id && !event.isUsed)
    const { firings } = decideFirings(
      { scope: to.scope, branches },
      unused.map(({ id, from: by, at }) => ({ id, branch: toActivityBranch(by ?? ''), at })),
    )
    for (const { eventIds } of firings) {
      const used = unused.filter(({ id }) => eventIds.includes(id))
      for (const event of used) event.isUsed = true
      addRun(to.id, getFlowRun(used.map((event) => event.cause)))
    }
  }
  return {
    sim,
    due: (at: number) => {
      for (const { id } of findRoots(blocks)) addRun(id, getFlowRun([tick(at)]))
    },
    end: (run: Sim['runs'][number], isGood: boolean) => {
      Object.assign(run, { status: isGood ? 'SUCCESS' : 'FAILED', finishedAt: ++clock })
      if (!isGood) return
      for (const block of blocks) {
        if (block.waitsFor.includes(run.block)) tell(block, run.block, success(run.id, run.flowRun))
      }
    },
    retry: (run: Sim['runs'][number]) => addRun(run.block, run.flowRun, run.root),
    of: (flowRun: number) => sim.runs.filter((run) => run.flowRun === flowRun),
    open: () => sim.runs.filter(({ status }) => status === 'QUEUED'),
  }
}

const dag = fc
  .array(fc.tuple(fc.constantFrom('any' as const, 'all' as const), fc.array(fc.nat(20), { maxLength: 3 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((drawn) =>
    drawn.map(([scope, before], at): WaitingBlock => ({
      id: `b${at}`,
      scope,
      waitsFor: at === 0 ? [] : [...new Set(before.map((item) => `b${item % at}`))],
    })),
  )

describe('a flow in memory', () => {
  test('a pass without failures is one flow run with every block that was expected, and never looks over between blocks', () => {
    fc.assert(
      fc.property(dag, fc.array(fc.nat(20), { maxLength: 40 }), (blocks, turns) => {
        const flow = makeSim(blocks)
        flow.due(1000)
        const roots = findRoots(blocks).map(({ id }) => id)
        const expected = findExpectedBlocks(blocks, roots)
        for (let turn = 0; flow.open().length > 0; turn += 1) {
          expect(summarizeFlowRun(flow.of(1), expected).state).toBe('running')
          const open = flow.open()
          const run = open[(turns[turn] ?? 0) % open.length]
          if (run) flow.end(run, true)
        }
        const { state, progress } = summarizeFlowRun(flow.of(1), expected)
        expect(state).toBe('succeeded')
        expect(progress).toEqual({ done: expected.size, total: expected.size })
        expect(new Set(flow.sim.runs.map(({ flowRun }) => flowRun))).toEqual(new Set([1]))
      }),
    )
  })

  test('whatever fails can be retried until the flow run has succeeded with every block', () => {
    fc.assert(
      fc.property(dag, fc.array(fc.boolean(), { maxLength: 30 }), (blocks, fates) => {
        const flow = makeSim(blocks)
        flow.due(1000)
        const expected = findExpectedBlocks(
          blocks,
          findRoots(blocks).map(({ id }) => id),
        )
        const fate = fates.values()
        const drain = () => {
          for (let [run] = flow.open(); run; [run] = flow.open()) flow.end(run, fate.next().value ?? true)
        }
        for (drain(); summarizeFlowRun(flow.of(1)).state !== 'succeeded'; drain()) {
          const before = summarizeFlowRun(flow.of(1), expected)
          expect(before.state).toBe('failed')
          expect(before.progress.done).toBeLessThan(before.progress.total)
          expect(before.finishedAt).not.toBeNull()
          for (const run of findRetryable(flow.of(1))) flow.retry(run)
          expect(summarizeFlowRun(flow.of(1))).toMatchObject({ state: 'running', finishedAt: null })
        }
        expect(new Set(flow.of(1).map(({ block }) => block))).toEqual(expected)
        expect(findRetryable(flow.of(1))).toEqual([])
      }),
    )
  })

  test('over several due times every block run is in one flow run, and late events join the newest they are part of', () => {
    fc.assert(
      fc.property(dag, fc.array(fc.tuple(fc.nat(20), fc.boolean()), { maxLength: 60 }), (blocks, steps) => {
        const flow = makeSim(blocks)
        for (let round = 1; round <= 3; round += 1) flow.due(round * 1000)
        for (const [at, isGood] of steps) {
          const open = flow.open()
          const run = open[at % Math.max(1, open.length)]
          if (run) flow.end(run, isGood)
        }
        expect([...flow.sim.flowRuns.keys()]).toEqual(['schedule:1000', 'schedule:2000', 'schedule:3000'])
        expect(flow.sim.runs.every(({ flowRun }) => flowRun >= 1 && flowRun <= 3)).toBe(true)
        for (const flowRun of [1, 2, 3]) {
          const runs = flow.of(flowRun)
          const isOpen = runs.some(({ status }) => status === 'QUEUED')
          expect(summarizeFlowRun(runs).state === 'running').toBe(isOpen)
        }
      }),
    )
  })
})

const run = (id: number, more: Partial<BlockRun> = {}): BlockRun => ({
  id,
  root: `r${id}`,
  block: `b${id}`,
  status: 'SUCCESS',
  isCancelled: false,
  needsDecision: false,
  startedAt: id * 10,
  finishedAt: id * 10 + 5,
  rows: id,
  ...more,
})

describe('how a flow run goes', () => {
  test('what was retried no longer counts, in whatever order runs are read', () => {
    const runs = [run(1), run(2, { status: 'FAILED' }), run(3, { root: 'r2', block: 'b2' })]
    expect(findLatestRuns(runs.toReversed()).map(({ id }) => id)).toEqual([3, 1])
    expect(summarizeFlowRun(runs)).toEqual({
      state: 'succeeded',
      progress: { done: 2, total: 2 },
      startedAt: 10,
      finishedAt: 35,
      rows: 4,
    })
  })

  test('a failure outweighs a cancelled run, and an open one both', () => {
    const cancelled = run(1, { status: 'FAILED', isCancelled: true })
    const failedBlockRun = run(2, { status: 'EXCEPTION' })
    expect(summarizeFlowRun([cancelled]).state).toBe('cancelled')
    expect(summarizeFlowRun([cancelled, failedBlockRun]).state).toBe('failed')
    expect(summarizeFlowRun([cancelled, failedBlockRun, run(3, { status: 'SYSTEM_BLOCKED' })]).state).toBe('running')
  })

  test('a question outweighs what was cancelled, a failure the question, and its answer is a retry like any other', () => {
    const cancelled = run(1, { status: 'FAILED', isCancelled: true })
    const requestedBlockRun = run(2, { status: 'FAILED', needsDecision: true })
    expect(summarizeFlowRun([run(3), requestedBlockRun]).state).toBe('needs_decision')
    expect(summarizeFlowRun([cancelled, requestedBlockRun]).state).toBe('needs_decision')
    expect(summarizeFlowRun([requestedBlockRun, run(3, { status: 'FAILED' })]).state).toBe('failed')
    expect(summarizeFlowRun([requestedBlockRun, run(3, { root: 'r2', block: 'b2', status: 'QUEUED' })]).state).toBe(
      'running',
    )
    expect(summarizeFlowRun([requestedBlockRun, run(3, { root: 'r2', block: 'b2' })]).state).toBe('succeeded')
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('good', 'bad', 'asked', 'cancelled', 'open'), { minLength: 1, maxLength: 8 }),
        (fates) => {
          const runs = fates.map((fate, at) =>
            run(at + 1, {
              status: fate === 'good' ? 'SUCCESS' : fate === 'open' ? 'RUNNING' : 'FAILED',
              needsDecision: fate === 'asked',
              isCancelled: fate === 'cancelled',
            }),
          )
          const first = (['open', 'bad', 'asked', 'cancelled', 'good'] as const).find((fate) => fates.includes(fate))
          const words = {
            open: 'running',
            bad: 'failed',
            asked: 'needs_decision',
            cancelled: 'cancelled',
            good: 'succeeded',
          }
          expect(summarizeFlowRun(runs).state).toBe(words[first ?? 'good'])
        },
      ),
    )
  })

  test('a part of the flow expects only what follows from it', () => {
    const blocks: WaitingBlock[] = [
      { id: 'a', scope: 'any', waitsFor: [] },
      { id: 'b', scope: 'any', waitsFor: [] },
      { id: 'both', scope: 'all', waitsFor: ['a', 'b'] },
      { id: 'either', scope: 'any', waitsFor: ['a', 'b', 'deleted'] },
    ]
    expect([...findExpectedBlocks(blocks, ['a'])]).toEqual(['a', 'either'])
    expect([...findExpectedBlocks(blocks, ['a', 'b'])]).toEqual(['a', 'b', 'both', 'either'])
    expect(findRoots(blocks).map(({ id }) => id)).toEqual(['a', 'b'])
  })
})

test('a flow run is compared with the median of earlier ones', () => {
  const earlier = [100, 5000, 110].map((durationMs) => ({ durationMs, rows: 0 }))
  expect(compareFlowRun({ durationMs: 220, rows: 7 }, earlier)).toEqual({
    durationMs: 110,
    rows: 0,
    durationRatio: 2,
    rowsRatio: null,
  })
  expect(compareFlowRun(null, earlier)).toMatchObject({ durationMs: 110, durationRatio: null })
  expect(compareFlowRun({ durationMs: 1, rows: 1 }, [])).toMatchObject({ durationMs: null, durationRatio: null })
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 1 }), (values) => {
      const median = findMedian(values) ?? Number.NaN
      expect(values.filter((value) => value < median).length).toBeLessThanOrEqual(values.length / 2)
      expect(values.filter((value) => value > median).length).toBeLessThanOrEqual(values.length / 2)
    }),
  )
})

describe('the time a flow run worked', () => {
  const span = (startedAt: number, finishedAt: number) => ({ startedAt, finishedAt })

  test('blocks beside each other count once, and the wait for a person not at all', () => {
    expect(measureWork([span(0, 10), span(5, 20), span(100, 130), span(2, 4)])).toBe(50)
    expect(
      measureWork([
        { startedAt: 3, finishedAt: null },
        { startedAt: null, finishedAt: 9 },
      ]),
    ).toBe(0)
    expect(measureWork([])).toBe(0)
  })

  test('is as long as the moments in which a block ran, in whatever order they come', () => {
    const spans = fc.array(fc.tuple(fc.nat(60), fc.nat(20)).map(([from, ms]) => span(from, from + ms)))
    fc.assert(
      fc.property(spans, (runs) => {
        const moments = new Set(runs.flatMap(({ startedAt, finishedAt }) => range(startedAt, finishedAt)))
        expect(measureWork(runs)).toBe(moments.size)
        expect(measureWork(runs.toReversed())).toBe(moments.size)
      }),
    )
  })

  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)
})
