import type { Metric } from './metrics.ts'
import type { Column, Model, Table } from './model.ts'

export type Target =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'column'; readonly table: Table; readonly column: Column }
  | { readonly kind: 'value'; readonly table: Table; readonly column: Column; readonly value: string }
  /** Quantity times unit price of a table of lines. */
  | { readonly kind: 'line_value'; readonly table: Table }
  | { readonly kind: 'metric'; readonly table: Table; readonly metric: Metric }

export interface Candidate {
  readonly target: Target
  readonly weight: number
}

export function createIndex() {
  const index = new Map<string, Candidate[]>()
  return {
    get: (key: string): readonly Candidate[] => index.get(key) ?? [],
    add(key: string, target: Target, weight: number) {
      if (key === '') return
      const list = index.get(key) ?? []
      index.set(key, list)
      const at = list.findIndex((knownCandidate) => isSame(knownCandidate.target, target))
      const known = list[at]
      if (!known) list.push({ target, weight })
      else if (known.weight < weight) list[at] = { target, weight }
    },
    entries: () => [...index],
  }
}
export type Index = ReturnType<typeof createIndex>

/** A view over one table: its columns only match if the view itself is named. */
export const isCopyOfAnother = (table: Table, { tables }: Model): boolean =>
  table.primaryKey.length === 0 &&
  tables.some(
    (other) =>
      other.primaryKey.length > 0 &&
      table.columns.every(({ name }) => other.columns.some((column) => column.name === name)),
  )

export const lowerWeights = (index: Index): Index => ({
  ...index,
  add: (key, target, weight) => index.add(key, target, weight * 0.9),
})

function isSame(a: Target, b: Target): boolean {
  if (a.kind !== b.kind || a.table !== b.table) return false
  if (a.kind === 'column' && b.kind === 'column') return a.column === b.column
  if (a.kind === 'metric' && b.kind === 'metric') return a.metric === b.metric
  if (a.kind === 'value' && b.kind === 'value') return a.column === b.column && a.value === b.value
  return true
}
