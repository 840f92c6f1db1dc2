import type { Metric } from './metrics.ts'
import type { Column, Model, Table } from './model.ts'

export type SchemaTarget =
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'column'; readonly table: Table; readonly column: Column }
  | { readonly kind: 'value'; readonly table: Table; readonly column: Column; readonly value: string }
  /** Quantity times unit price of a table of lines. */
  | { readonly kind: 'line_value'; readonly table: Table }
  | { readonly kind: 'metric'; readonly table: Table; readonly metric: Metric }

/** Something that words may mean, and how surely. */
export interface Candidate {
  readonly target: SchemaTarget
  readonly matchScore: number
}

/** Maps phrases to candidates; adding a candidate again keeps the better score. */
export function createNameIndex() {
  const candidatesByKey = new Map<string, Candidate[]>()
  return {
    get: (key: string): readonly Candidate[] => candidatesByKey.get(key) ?? [],
    add(key: string, target: SchemaTarget, matchScore: number) {
      if (key === '') return
      const candidates = candidatesByKey.get(key) ?? []
      candidatesByKey.set(key, candidates)
      const candidateIndex = candidates.findIndex((knownCandidate) => isSameTarget(knownCandidate.target, target))
      const existing = candidates[candidateIndex]
      if (!existing) candidates.push({ target, matchScore })
      else if (existing.matchScore < matchScore) candidates[candidateIndex] = { target, matchScore }
    },
    entries: () => [...candidatesByKey],
  }
}
export type NameIndex = ReturnType<typeof createNameIndex>

/** A view over one table: its columns only match if the view itself is named. */
export const isCopyOfOtherTable = (table: Table, { tables }: Model): boolean =>
  table.primaryKey.length === 0 &&
  tables.some(
    (other) =>
      other.primaryKey.length > 0 &&
      table.columns.every(({ name }) => other.columns.some((column) => column.name === name)),
  )

const COPY_FACTOR = 0.9

/** Names added through it score a little less, so that a table wins over a view of it. */
export const withLowerScores = (index: NameIndex): NameIndex => ({
  ...index,
  add: (key, target, matchScore) => index.add(key, target, matchScore * COPY_FACTOR),
})

function isSameTarget(a: SchemaTarget, b: SchemaTarget): boolean {
  if (a.kind !== b.kind || a.table !== b.table) return false
  if (a.kind === 'column' && b.kind === 'column') return a.column === b.column
  if (a.kind === 'metric' && b.kind === 'metric') return a.metric === b.metric
  if (a.kind === 'value' && b.kind === 'value') return a.column === b.column && a.value === b.value
  return true
}
