import type { FrameRows } from '@trellis/contract/sparks/spark-bridge.schemas'
import type { BlockOf } from './block-kinds.ts'
import { readNumber, readText } from './columns.ts'

export interface Metric {
  readonly name: string
  readonly value: number | null
  readonly before: number | null
  readonly parts: readonly Metric[]
}

/** A metric whose parent is missing or its own descendant is a root. */
export function buildMetricTree(rows: FrameRows, block: BlockOf<'metric_tree'>): Metric[] {
  const name = readText(rows, block.name_column)
  const parent = readText(rows, block.parent_column)
  const value = readNumber(rows, block.value_column)
  const before = readNumber(rows, block.compare_column)
  const found = new Map(
    rows.rows.map((row) => [
      name(row) ?? '(empty)',
      { parent: parent(row), value: value(row), before: block.compare_column === null ? null : before(row) },
    ]),
  )
  const isRooted = (start: string): boolean => {
    const seen = new Set<string>()
    for (let at: string | null = start; at !== null && found.has(at); at = found.get(at)?.parent ?? null) {
      if (seen.has(at)) return false
      seen.add(at)
    }
    return true
  }
  const toMetric = (key: string): Metric => {
    const one = found.get(key)
    const parts = [...found]
      .filter(([other, { parent: above }]) => above === key && isRooted(other))
      .map(([other]) => toMetric(other))
    return { name: key, value: one?.value ?? null, before: one?.before ?? null, parts }
  }
  return [...found]
    .filter(([key, { parent: above }]) => above === null || !found.has(above) || !isRooted(key))
    .map(([key, one]) =>
      isRooted(key) ? toMetric(key) : { name: key, value: one.value, before: one.before, parts: [] },
    )
}
