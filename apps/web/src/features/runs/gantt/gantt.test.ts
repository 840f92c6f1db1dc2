import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fakeRun } from '../../../testing/dataflows/fake-runs.ts'
import { FLOW_ROW, flowRow, ganttRows, findNeighbour } from './gantt-rows.ts'
import {
  fitSpan,
  fitRange,
  assignLanes,
  getNextSpan,
  toSegments,
  toFraction,
  toTimeRange,
  buildTicks,
  usualMs,
  zoomRange,
} from './gantt-scale.ts'

const HOUR = 3_600_000
const T = Date.parse('2026-11-15T12:00:00Z')
const iso = (minutes: number) => new Date(T + minutes * 60_000).toISOString()
const minutes = (at: number) => (at - T) / 60_000

test('the picture follows the present until it is moved', () => {
  expect(toTimeRange('1h', null, T)).toEqual({ from: T - 0.8 * HOUR, to: T + 0.2 * HOUR })
  expect(toTimeRange('1d', T, T + 5 * HOUR)).toEqual({ from: T - 24 * HOUR, to: T })
  expect([getNextSpan('1h', -1), getNextSpan('1h', 1), getNextSpan('30d', 1)]).toEqual(['1h', '6h', '30d'])
  expect([
    toFraction(T - HOUR, { from: T, to: T + HOUR }),
    toFraction(T + HOUR / 4, { from: T, to: T + HOUR }),
  ]).toEqual([0, 0.25])
})

test('the first look is the closest that has all runs of the day in sight', () => {
  const from = (...minutes: number[]) =>
    fitSpan(
      minutes.map((minute) => ({ due_at: iso(minute) })),
      T,
    )
  expect([from(), from(-2), from(-2, -47), from(-2, -49), from(-600), from(-1300)]).toEqual([
    '1d',
    '1h',
    '1h',
    '6h',
    '1d',
    '7d',
  ])
})

test('rows stand in the order of the flow', () => {
  const block = (code: string, ...waits_for: string[]) => ({ task_block_trellis_code: code, name: code, waits_for })
  const rows = ganttRows({
    blocks: [block('mart', 'clean'), block('clean', 'orders', 'spend'), block('orders'), block('spend')],
    runs: [],
    planned: [],
    details: new Map(),
    range: { from: T - HOUR, to: T },
    now: T,
  })
  expect(rows.map(({ code }) => code)).toEqual(['orders', 'spend', 'clean', 'mart'])
})

test('the axis stands on round times and never has too many words', () => {
  for (const span of ['1h', '6h', '1d', '7d', '30d'] as const) {
    const ticks = buildTicks(toTimeRange(span, null, T), { width: 880, isNarrow: false })
    expect(ticks.length).toBeGreaterThan(1)
    expect(ticks.length).toBeLessThanOrEqual(9)
    expect(ticks.every(({ instant }) => new Date(instant).getMinutes() % 5 === 0)).toBe(true)
  }
})

test('a run fills the picture in a scale that fits it, with seconds on the axis where they tell something', () => {
  const short = fitRange({ from: T, to: T + 4000 })
  expect([minutes(short.from), minutes(short.to)].map((at) => Math.round(at * 60_000))).toEqual([-600, 10_600])
  const wide = (pixels: number) => ({ width: pixels, isNarrow: false })
  expect(buildTicks(short, wide(400)).map(({ text }) => text.slice(-3))).toEqual([':00', ':05', ':10'])
  const long = fitRange({ from: T, to: T + HOUR })
  expect(buildTicks(long, wide(880)).every(({ text }) => /^\d\d:\d\d$/.test(text))).toBe(true)
  const wider = zoomRange(long, 1)
  expect(wider.to - wider.from).toBeCloseTo(2 * (long.to - long.from))
  expect(zoomRange(wider, -1)).toEqual(long)
})

test('the axis always has a word, however short the run and small the screen, and words do not touch', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 230, max: 1400 }),
      fc.integer({ min: 10_000, max: 30 * 24 * HOUR }),
      fc.integer({ min: 0, max: 48 * HOUR }),
      (width, ms, later) => {
        const range = { from: T + later, to: T + later + ms }
        const words = buildTicks(range, { width, isNarrow: width < 452 }).filter(({ hasRoom }) => hasRoom)
        expect(words.length).toBeGreaterThan(0)
        const places = words.map(({ instant }) => toFraction(instant, range) * width)
        for (const [at, index] of places.entries())
          if (at > 0) expect(index - (places[at - 1] ?? 0)).toBeGreaterThan(60)
      },
    ),
  )
})

test('a run of the flow is one bar, and what is planned is where the flow begins', () => {
  const flowRun = (code: string, more: Partial<FlowRun>): FlowRun => ({
    flow_run_trellis_code: code,
    dataflow_trellis_code: 'd',
    state: 'succeeded',
    cause: 'schedule',
    who: null,
    because: 'It was due.',
    nominal_at: null,
    caused_by: null,
    created_at: iso(-50),
    started_at: iso(-49),
    finished_at: iso(-45),
    progress: { done: 2, total: 2 },
    rows_written: 3,
    rows_rejected: 0,
    blocks: [],
    can_retry: false,
    can_cancel: false,
    is_shadow: false,
    ...more,
  })
  const row = flowRow({
    runs: [
      flowRun('b', { state: 'running', created_at: iso(-2), started_at: iso(-2), finished_at: null }),
      flowRun('a', {}),
      flowRun('waits', { state: 'running', created_at: iso(-1), started_at: null, finished_at: null }),
      flowRun('before', { created_at: iso(-500), started_at: iso(-500), finished_at: iso(-499) }),
    ],
    planned: [10, 10, 20].map((at) => ({ task_block_trellis_code: 'x', at: iso(at), because: '' })),
    range: { from: T - HOUR, to: T + HOUR },
    now: T,
  })
  expect(row.code).toBe(FLOW_ROW)
  expect(row.bars.map(({ run, lane, from, to }) => [run.key, run.word, lane, minutes(from), minutes(to)])).toEqual([
    ['a', 'Succeeded', 0, -50, -45],
    ['b', 'Running', 0, -2, 0],
    ['waits', 'Running', 1, -1, 0],
  ])
  expect(row.planned.map(({ from, to }) => [minutes(from), minutes(to)])).toEqual([
    [10, 14],
    [20, 24],
  ])
})

test('waits, attempts and pauses are parts of one bar', () => {
  const run = fakeRun('r', { due_at: iso(0), started_at: iso(2), finished_at: iso(20), status: 'FAILED' })
  const attempt = (number: number, from: number, to: number) => ({
    number,
    status: 'FAILED' as const,
    started_at: iso(from),
    finished_at: iso(to),
    worker: 'w',
    message: null,
  })
  const told = (parts: ReturnType<typeof toSegments>) =>
    parts.map((part) => `${part.kind} ${minutes(part.from)}-${minutes(part.to)}`)
  expect(told(toSegments(run, undefined, T))).toEqual(['wait 0-2', 'work 2-20'])
  const details = { ...run, attempts: [attempt(1, 2, 8), attempt(2, 15, 20)] }
  expect(told(toSegments(run, details, T))).toEqual(['wait 0-2', 'failed 2-8', 'pause 8-15', 'work 15-20'])
  const again = { ...run, status: 'QUEUED' as const, finished_at: null, retry_at: iso(40) }
  expect(told(toSegments(again, { ...again, attempts: [attempt(1, 2, 8)] }, T + 10 * 60_000))).toEqual([
    'wait 0-2',
    'work 2-8',
    'pause 8-40',
  ])
  expect(told(toSegments({ ...run, started_at: null, finished_at: null }, undefined, T + 60_000))).toEqual(['wait 0-1'])
})

test('runs that overlap stand below each other, others share a lane', () => {
  const lanes = assignLanes([
    { key: 'a', from: 0, to: 10 },
    { key: 'b', from: 5, to: 15 },
    { key: 'c', from: 10, to: 12 },
  ])
  expect([...lanes]).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 0],
  ])
})

test('a row for each block, deleted ones too, with what is planned as long as it usually takes', () => {
  const run = (code: string, block: string, [from, to]: readonly [number, number]) =>
    fakeRun(code, {
      task_block_trellis_code: block,
      block_name: `Name of ${block}`,
      due_at: iso(from),
      started_at: iso(from),
      finished_at: iso(to),
    })
  const runs = [
    run('1', 'a', [-50, -48]),
    run('2', 'a', [-30, -20]),
    run('3', 'a', [-10, -6]),
    run('4', 'gone', [-29, -28]),
  ]
  expect(usualMs(runs)).toBe(4 * 60_000)
  const rows = ganttRows({
    blocks: [{ task_block_trellis_code: 'a', name: 'A', waits_for: [] }],
    runs,
    planned: [-5, 10, 500].map((at) => ({ task_block_trellis_code: 'a', at: iso(at), because: '' })),
    details: new Map(),
    range: { from: T - HOUR, to: T + HOUR },
    now: T,
  })
  expect(rows.map(({ name, bars, planned }) => [name, bars.length, planned.length])).toEqual([
    ['A', 3, 1],
    ['Name of gone', 1, 0],
  ])
  const next = (code: string, move: Parameters<typeof findNeighbour>[2]) => findNeighbour(rows, code, move)?.run.key
  expect([next('2', 'ArrowLeft'), next('2', 'ArrowRight'), next('3', 'ArrowRight')]).toEqual(['1', '3', undefined])
  expect([next('3', 'ArrowDown'), next('4', 'ArrowUp'), next('1', 'ArrowUp')]).toEqual(['4', '2', undefined])
})
