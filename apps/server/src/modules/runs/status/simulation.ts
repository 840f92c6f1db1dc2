import type { Simulation } from '@trellis/contract/runs/trigger-status.schemas'
import type { Schedule } from '@trellis/dataflow-engine/schedules/schedule'
import { formatClock, formatDate, describeDueTime, formatDuration } from '@trellis/dataflow-engine/schedules/in-words'
import { getOffset, listSpans } from '@trellis/dataflow-engine/schedules/zone'
import { SIMULATED_DAYS, type SimulatedRun, simulate } from '@trellis/dataflow-engine/simulator/simulate'
import { findSchedule } from '@trellis/dataflow-engine/triggers/trigger'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { getBlock } from '../runs.service.ts'
import { formatLocalTime } from './due-times.ts'
import { findTriggers } from './trigger-status.repository.ts'
import { toLiveTrigger } from './trigger-status.ts'

const DAY_MS = 86_400_000
const MAX_RUNS = 5000
const DEFAULT_DURATION_MS = 60_000

export async function simulateDataflow(ctx: WorkspaceCtx, code: string): Promise<z.infer<typeof Simulation>> {
  const { dataflow_id: dataflowId } = await getBlock(ctx, code)
  const rows = await findTriggers(ctx, dataflowId)
  const now = ctx.clock.now()
  const from = now.getTime()
  const until = from + SIMULATED_DAYS * DAY_MS
  const blocks = rows.map((row) => ({
    id: row.code,
    trigger: toLiveTrigger(row, now),
    overlap: row.overlap,
    expectedMs: Math.max(1000, row.usual_ms ?? DEFAULT_DURATION_MS),
  }))
  const schedules = new Map(blocks.map(({ id, trigger }) => [id, findSchedule(trigger)]))
  const { runs, cutAt } = simulate({ blocks, from, slots: ctx.ports.config.runLimits.perWorkspace })
  const shownRuns = runs.slice(0, MAX_RUNS)
  const names = new Map(rows.map(({ code: id, name }) => [id, name]))
  const isCut = cutAt !== null || shownRuns.length < runs.length
  const zones = [...new Set([...schedules.values()].flatMap((schedule) => listZones(schedule)))]
  return {
    from: now.toISOString(),
    to: new Date(isCut ? (shownRuns.at(-1)?.startedAt ?? until) : until).toISOString(),
    runs: shownRuns.map((run) => ({
      task_block_trellis_code: run.blockId,
      at: new Date(run.startedAt).toISOString(),
      local: formatLocalTime(
        run.startedAt,
        getOffset(listZones(schedules.get(run.blockId))[0] ?? 'UTC', run.startedAt),
      ),
      because: formatCause(run, runs, names),
      is_queued: run.waitedFor !== 'nothing',
    })),
    is_cut: isCut,
    clock_changes: zones.flatMap((zone) => listClockChanges(zone, from, until)),
  }
}

const listZones = (schedule: Schedule | undefined): string[] => (schedule?.kind === 'wall' ? [schedule.zone] : [])

function formatCause(run: SimulatedRun, runs: readonly SimulatedRun[], names: ReadonlyMap<string, string>): string {
  const causes = run.by.map((cause) =>
    'due' in cause
      ? `due ${describeDueTime(cause.due)}`
      : `“${names.get(runs[cause.run]?.blockId ?? '') ?? 'a block'}” would have succeeded`,
  )
  const text = causes.join(' and ')
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}.`
}

function listClockChanges(zone: string, from: number, to: number): { at: string; zone: string; in_words: string }[] {
  const spans = listSpans(zone, from, to)
  return spans.slice(1).flatMap((span, index) => {
    const change = span.offset - (spans[index]?.offset ?? 0)
    if (span.from <= from || change === 0) return []
    const local = span.from + (spans[index]?.offset ?? 0)
    const direction = change > 0 ? 'forward' : 'back'
    return [
      {
        at: new Date(span.from).toISOString(),
        zone,
        in_words: `In ${zone} clocks go ${direction} by ${formatDuration(Math.abs(change))} on ${formatDate(local)} at ${formatClock(local)}.`,
      },
    ]
  })
}
