import type { TaskRun, TaskRunDetails } from '@trellis/contract/runs/runs.schemas'
import { upstreamFirst } from '../../../running/flow-order.ts'
import { lanesOf, segmentsOf, usualMs, type Segment, type Stretch } from './gantt-scale.ts'

interface PlannedRun {
  task_block_trellis_code: string
  at: string
  because: string
}
export interface GanttBar extends Stretch {
  run: TaskRun
  lane: number
  segments: Segment[]
}
export interface GanttRow {
  code: string
  name: string
  lanes: number
  bars: GanttBar[]
  planned: (Stretch & { because: string })[]
}

export interface GanttInput {
  blocks: readonly { task_block_trellis_code: string; name: string; waits_for: readonly string[] }[]
  runs: readonly TaskRun[]
  planned: readonly PlannedRun[]
  details: ReadonlyMap<string, TaskRunDetails>
  stretch: Stretch
  now: number
}

const MOST_PLANNED = 100

/** A row for every block of the canvas in the order of the flow, and for deleted ones whose runs are in sight. */
export function ganttRows({ blocks, runs, planned, details, stretch, now }: GanttInput): GanttRow[] {
  const names = new Map(upstreamFirst(blocks).map((block) => [block.task_block_trellis_code, block.name]))
  for (const run of runs)
    if (!names.has(run.task_block_trellis_code)) names.set(run.task_block_trellis_code, run.block_name)
  const byBlock = Map.groupBy(runs, (run) => run.task_block_trellis_code)
  const plannedOf = Map.groupBy(planned, (one) => one.task_block_trellis_code)
  return [...names].map(([code, name]) => {
    const own = byBlock.get(code) ?? []
    const spread = own.map((run) => {
      const segments = segmentsOf(run, details.get(run.task_run_trellis_code), now)
      const due = Date.parse(run.due_at)
      return { run, segments, from: segments[0]?.from ?? due, to: Math.max(due, ...segments.map(({ to }) => to)) }
    })
    const seen = spread.filter((bar) => bar.to >= stretch.from && bar.from <= stretch.to)
    const lanes = lanesOf(seen.map((bar) => ({ key: bar.run.task_run_trellis_code, from: bar.from, to: bar.to })))
    const bars = seen
      .map((bar) => ({ ...bar, lane: lanes.get(bar.run.task_run_trellis_code) ?? 0 }))
      .toSorted((a, b) => a.from - b.from)
    const usual = usualMs(own)
    const ahead = (plannedOf.get(code) ?? [])
      .map((one) => ({ because: one.because, from: Date.parse(one.at), to: Date.parse(one.at) + usual }))
      .filter(({ from }) => from > now && from <= stretch.to)
      .slice(0, MOST_PLANNED)
    return { code, name, lanes: Math.max(1, ...bars.map(({ lane }) => lane + 1)), bars, planned: ahead }
  })
}

export type Move = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown'

/** The run next to one in a direction: along its row, or the nearest in time of the next row that has any. */
export function neighbourOf(rows: readonly GanttRow[], code: string, move: Move): GanttBar | undefined {
  const at = rows.findIndex(({ bars }) => bars.some(({ run }) => run.task_run_trellis_code === code))
  const bars = rows[at]?.bars ?? []
  const bar = bars.findIndex(({ run }) => run.task_run_trellis_code === code)
  if (move === 'ArrowLeft') return bars[bar - 1]
  if (move === 'ArrowRight') return bars[bar + 1]
  const step = move === 'ArrowUp' ? -1 : 1
  const from = bars[bar]?.from ?? 0
  for (let next = at + step; next >= 0 && next < rows.length; next += step) {
    const found = rows[next]?.bars.toSorted((a, b) => Math.abs(a.from - from) - Math.abs(b.from - from))[0]
    if (found) return found
  }
  return undefined
}
