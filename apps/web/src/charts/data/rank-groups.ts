import type { ChartSpec } from '@trellis/contract/charts/charts.schemas'
import { createAccumulator } from './aggregates.ts'
import { type ChartSource, EMPTY_LABEL, findColumnAt, OTHER_LABEL } from './chart-data.ts'

export interface Grouping {
  /** Null hides the row. */
  toLabel(value: string | null): string | null
  readonly total: number
  readonly shown: number
}

interface Limits {
  readonly column: number
  readonly max: number
  readonly showOther: boolean
}

export function groupByColumn(source: ChartSource, spec: ChartSpec, { column, max, showOther }: Limits): Grouping {
  const [measure] = spec.y
  const valueAt = findColumnAt(source.columns, measure?.column ?? null)
  const groups = new Map<string, ReturnType<typeof createAccumulator>>()
  for (const row of source.rows) {
    const label = row[column] ?? EMPTY_LABEL
    let group = groups.get(label)
    if (!group) {
      group = createAccumulator(measure?.aggregate ?? 'count', valueAt !== -1)
      groups.set(label, group)
    }
    group.add(row[valueAt] ?? null)
  }
  if (groups.size <= max) return { toLabel: (value) => value ?? EMPTY_LABEL, total: groups.size, shown: groups.size }
  const largest = [...groups]
    .map(([label, group]) => [label, group.result() ?? Number.NEGATIVE_INFINITY] as const)
    .toSorted((item, other) => other[1] - item[1])
    .slice(0, max)
  const kept = new Set(largest.map(([label]) => label))
  return {
    toLabel(value) {
      const label = value ?? EMPTY_LABEL
      return kept.has(label) ? label : showOther ? OTHER_LABEL : null
    },
    total: groups.size,
    shown: max,
  }
}
