import { type DataflowHealth, TABLE_FRESHNESS } from '@trellis/contract/dashboard/dashboard.schemas'
import type { TableName } from '../tables-of-block.ts'

/** A published block with the ends of its last successful runs, newest first. */
export interface Writer {
  readonly dataflow_code: string
  readonly dataflow_name: string
  readonly is_paused: boolean
  readonly writes: readonly TableName[]
  readonly loads: readonly Date[]
}

type LoadedTable = DataflowHealth['tables'][number]

const LATE_FACTOR = 2
/** Runs of a schedule never start to the second. */
const LATE_SLACK_MS = 10 * 60_000
const MIN_LOADS = 3

/** Every table that a published block writes, those to look at first. */
export function toLoadedTables(writers: readonly Writer[], now: Date): LoadedTable[] {
  const tables = new Map<string, LoadedTable>()
  for (const writer of writers) {
    const { loads, writes } = writer
    const gap = findUsualGap(loads)
    const [last] = loads
    for (const { schema_name, table_name } of writes) {
      const key = JSON.stringify([schema_name, table_name])
      const other = tables.get(key)
      // Several blocks may write one table: the youngest load tells how fresh it is.
      if (other?.loaded_at && (!last || other.loaded_at >= last.toISOString())) continue
      tables.set(key, {
        schema_name,
        table_name,
        dataflow_trellis_code: writer.dataflow_code,
        dataflow_name: writer.dataflow_name,
        freshness: writer.is_paused ? 'paused' : rateFreshness(last, gap, now),
        loaded_at: last?.toISOString() ?? null,
        usual_gap_seconds: gap === null ? null : Math.round(gap / 1000),
      })
    }
  }
  const rank = ({ freshness }: LoadedTable) => TABLE_FRESHNESS.indexOf(freshness)
  return [...tables.values()].toSorted(
    (a, b) => rank(a) - rank(b) || (b.loaded_at ?? '').localeCompare(a.loaded_at ?? ''),
  )
}

function rateFreshness(last: Date | undefined, gapMs: number | null, now: Date): LoadedTable['freshness'] {
  if (!last) return 'new'
  if (gapMs === null) return 'fresh'
  return now.getTime() - last.getTime() > gapMs * LATE_FACTOR + LATE_SLACK_MS ? 'late' : 'fresh'
}

/** The median, so that one long pause does not change what is usual. */
function findUsualGap(loads: readonly Date[]): number | null {
  if (loads.length < MIN_LOADS) return null
  const gaps = loads.slice(1).map((load, at) => (loads[at]?.getTime() ?? 0) - load.getTime())
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? null
}

export function countFreshness(tables: readonly LoadedTable[]): DataflowHealth['table_counts'] {
  const counts = { late: 0, new: 0, paused: 0, fresh: 0 }
  for (const { freshness } of tables) counts[freshness] += 1
  return counts
}
