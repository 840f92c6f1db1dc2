import type { Simulation } from '@trellis/contract/runs/trigger-status.schemas'
import type * as z from 'zod/mini'

export type SimulationResult = z.infer<typeof Simulation>
type PlannedRun = SimulationResult['runs'][number]

export interface SimulatedDay {
  /** In the schedule's time zone. */
  day: string
  weekday: number
  runs: PlannedRun[]
  clockChanges: string[]
}

const DAY = 86_400_000

/** Includes days without runs: gaps in a schedule are what one looks for. */
export function simulatedDays(simulation: SimulationResult, block: string | null): SimulatedDay[] {
  const runs = simulation.runs.filter((run) => block === null || run.task_block_trellis_code === block)
  const byDay = Map.groupBy(runs, (run) => run.local.slice(0, 10))
  const changes = Map.groupBy(simulation.clock_changes, ({ at }) => at.slice(0, 10))
  const first = Date.parse(`${simulation.from.slice(0, 10)}T00:00:00Z`)
  const count = Math.floor((Date.parse(simulation.to) - first) / DAY) + 1
  return Array.from({ length: Math.min(count, 62) }, (_, index) => {
    const moment = new Date(first + index * DAY)
    const day = moment.toISOString().slice(0, 10)
    return {
      day,
      weekday: (moment.getUTCDay() + 6) % 7,
      runs: byDay.get(day) ?? [],
      clockChanges: (changes.get(day) ?? []).map(({ in_words }) => in_words),
    }
  })
}

export function toWeight(count: number, most: number): number {
  return count === 0 || most === 0 ? 0 : Math.max(1, Math.ceil((count / most) * 4))
}
