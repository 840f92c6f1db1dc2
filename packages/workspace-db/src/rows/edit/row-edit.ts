interface CellValue {
  readonly column: string
  readonly value: string | null
}

interface CellChange extends CellValue {
  /** What the person saw: another value by now is a conflict. */
  readonly old: string | null
}

/** One row to be inserted, changed or deleted. Values and keys are texts as Postgres writes them. */
export type RowEdit =
  | { readonly kind: 'insert'; readonly values: readonly CellValue[] }
  | { readonly kind: 'update'; readonly key: readonly string[]; readonly changes: readonly CellChange[] }
  | { readonly kind: 'delete'; readonly key: readonly string[]; readonly old: readonly CellValue[] }

export interface CellConflict {
  readonly column: string
  readonly old: string | null
  readonly theirs: string | null
  /** Nothing where the row is deleted. */
  readonly mine: string | null
}

export interface RowConflict {
  /** Place in the list of edits. */
  readonly edit: number
  readonly reason: 'changed' | 'deleted'
  readonly cells: readonly CellConflict[]
}
