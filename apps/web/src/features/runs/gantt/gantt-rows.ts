import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import type { TaskRun, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { FLOW_STATE_LABELS } from '../../../running/flow-run-states.ts'
import { upstreamFirst } from '../../../running/flow-order.ts'
import { getStatusLabel } from '../run-words.ts'
import type { Tone } from '../../../ui/feedback/Status.tsx'
import { findMiddle, assignLanes, toSegments, usualMs, type Segment, type TimeRange } from './gantt-scale.ts'

interface PlannedRun {
  task_block_trellis_code: string
  at: string
  because: string
}
interface ShownRun {
  key: string
  word: string
  tone: Tone
  isOpen: boolean
  due_at: string
  started_at: string | null
  finished_at: string | null
  because: string
  rows: number
  message: string | null
}
export interface GanttBar extends TimeRange {
  run: ShownRun
  lane: number
  segments: Segment[]
}
export interface GanttRow {
  code: string
  isBlock: boolean
  name: string
  lanes: number
  bars: GanttBar[]
  planned: (TimeRange & { because: string })[]
}

export interface GanttInput {
  blocks: readonly { task_block_trellis_code: string; name: string; waits_for: readonly string[] }[]
  runs: readonly TaskRun[]
  planned: readonly PlannedRun[]
  details: ReadonlyMap<string, TaskRunDetails>
  range: TimeRange
  now: number
}

const MAX_PLANNED = 100

/** In topological order, plus deleted blocks with runs in range. */
export function ganttRows({ blocks, runs, planned, details, range, now }: GanttInput): GanttRow[] {
  const names = new Map(upstreamFirst(blocks).map((block) => [block.task_block_trellis_code, block.name]))
  for (const run of runs)
    if (!names.has(run.task_block_trellis_code)) names.set(run.task_block_trellis_code, run.block_name)
  const byBlock = Map.groupBy(runs, (run) => run.task_block_trellis_code)
  const plannedByBlock = Map.groupBy(planned, (run) => run.task_block_trellis_code)
  return [...names].map(([code, name]) => {
    const own = byBlock.get(code) ?? []
    const spread = own.map((run) => ({
      run: toShownRun(run),
      segments: toSegments(run, details.get(run.task_run_trellis_code), now),
    }))
    const bars = toBars(spread, range)
    const usual = usualMs(own)
    const ahead = (plannedByBlock.get(code) ?? [])
      .map((run) => ({ because: run.because, from: Date.parse(run.at), to: Date.parse(run.at) + usual }))
      .filter(({ from }) => from > now && from <= range.to)
      .slice(0, MAX_PLANNED)
    return { code, name, isBlock: false, lanes: countLanes(bars), bars, planned: ahead }
  })
}

const countLanes = (bars: readonly GanttBar[]): number => Math.max(1, ...bars.map(({ lane }) => lane + 1))

function toBars(runs: readonly { run: ShownRun; segments: Segment[] }[], range: TimeRange): GanttBar[] {
  const spread = runs.map(({ run, segments }) => {
    const due = Date.parse(run.due_at)
    return { run, segments, from: segments[0]?.from ?? due, to: Math.max(due, ...segments.map(({ to }) => to)) }
  })
  const seen = spread.filter((bar) => bar.to >= range.from && bar.from <= range.to)
  const lanes = assignLanes(seen.map((bar) => ({ key: bar.run.key, from: bar.from, to: bar.to })))
  return seen.map((bar) => ({ ...bar, lane: lanes.get(bar.run.key) ?? 0 })).toSorted((a, b) => a.from - b.from)
}

function toShownRun(run: TaskRun): ShownRun {
  const { label, tone, isOpen } = getStatusLabel(run)
  const { due_at, started_at, finished_at, because } = run
  return {
    key: run.task_run_trellis_code,
    word: label,
    tone,
    isOpen,
    due_at,
    started_at,
    finished_at,
    because,
    rows: run.counters.rows_written + run.counters.rows_updated,
    message: run.problem?.message ?? null,
  }
}

export const FLOW_ROW = 'flow'

interface FlowRowInput {
  runs: readonly FlowRun[]
  /** Runs of root blocks. */
  planned: readonly PlannedRun[]
  range: TimeRange
  now: number
}

export function flowRow({ runs, planned, range, now }: FlowRowInput): GanttRow {
  const bars = toBars(
    runs.map((run) => ({ run: toShownFlowRun(run), segments: flowSegments(run, now) })),
    range,
  )
  const usual = findMiddle(
    runs.flatMap(({ state, started_at: from, finished_at: to }) =>
      state === 'succeeded' && from && to ? [Date.parse(to) - Date.parse(from)] : [],
    ),
  )
  const ahead = [...new Map(planned.map((run) => [run.at, run])).values()]
    .map((run) => ({ because: run.because, from: Date.parse(run.at), to: Date.parse(run.at) + usual }))
    .filter(({ from }) => from > now && from <= range.to)
    .slice(0, MAX_PLANNED)
  return { code: FLOW_ROW, name: 'Whole flow', isBlock: false, lanes: countLanes(bars), bars, planned: ahead }
}

function toShownFlowRun(run: FlowRun): ShownRun {
  const { word, tone } = FLOW_STATE_LABELS[run.state]
  const { created_at: due_at, started_at, finished_at, because, rows_written: rows, state } = run
  const isOpen = state === 'running'
  return {
    key: run.flow_run_trellis_code,
    word,
    tone,
    isOpen,
    due_at,
    started_at,
    finished_at,
    because,
    rows,
    message: null,
  }
}

function flowSegments({ created_at, started_at, finished_at }: FlowRun, now: number): Segment[] {
  const due = Date.parse(created_at)
  const end = finished_at === null ? now : Date.parse(finished_at)
  if (started_at === null) return [{ kind: 'wait', from: due, to: Math.max(due, end) }]
  const start = Date.parse(started_at)
  const wait: Segment[] = start > due ? [{ kind: 'wait', from: due, to: start }] : []
  return [...wait, { kind: 'work', from: start, to: end }]
}

export type Move = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** Along the row, or the nearest in time of the next row with runs. */
export function findNeighbour(rows: readonly GanttRow[], code: string, move: Move): GanttBar | undefined {
  const index = rows.findIndex(({ bars }) => bars.some(({ run }) => run.key === code))
  const bars = rows[index]?.bars ?? []
  const bar = bars.findIndex(({ run }) => run.key === code)
  if (move === 'ArrowLeft') return bars[bar - 1]
  if (move === 'ArrowRight') return bars[bar + 1]
  const step = move === 'ArrowUp' ? -1 : 1
  const from = bars[bar]?.from ?? 0
  for (let next = index + step; next >= 0 && next < rows.length; next += step) {
    const ganttBar = rows[next]?.bars.toSorted((a, b) => Math.abs(a.from - from) - Math.abs(b.from - from))[0]
    if (ganttBar) return ganttBar
  }
  return undefined
}
