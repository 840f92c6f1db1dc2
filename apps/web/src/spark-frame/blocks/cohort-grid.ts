import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { BlockOf } from './block-kinds.ts'
import { readNumber, readText } from './columns.ts'

interface Cohort {
  readonly name: string
  readonly size: number | null
  readonly shares: readonly (number | null)[]
}
interface CohortGrid {
  readonly periods: readonly string[]
  readonly cohorts: readonly Cohort[]
}

export function buildCohortGrid(rows: FrameRows, block: BlockOf<'cohort'>): CohortGrid {
  const group = readText(rows, block.group_column)
  const period = readText(rows, block.period_column)
  const value = readNumber(rows, block.value_column)
  const groups = new Map<string, Map<string, number | null>>()
  const periods = new Set<string>()
  for (const row of rows.rows) {
    const name = group(row) ?? '(empty)'
    const at = period(row) ?? ''
    periods.add(at)
    const values = groups.get(name) ?? new Map<string, number | null>()
    values.set(at, value(row))
    groups.set(name, values)
  }
  const order = [...periods].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  return {
    periods: order,
    cohorts: [...groups].map(([name, values]) => {
      const size = values.get(order[0] ?? '') ?? null
      return { name, size, shares: order.map((at) => toShare(values.get(at), size)) }
    }),
  }
}

const toShare = (value: number | null | undefined, size: number | null): number | null =>
  value === null || value === undefined || size === null || size === 0 ? null : value / size
