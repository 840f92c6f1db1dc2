interface CellValue {
  readonly column: string
  readonly value: string | null
}

interface CellChange extends CellValue {
  /** The value seen, for optimistic locking. */
  readonly old: string | null
}

export type RowEdit =
  | { readonly kind: 'insert'; readonly values: readonly CellValue[] }
  | { readonly kind: 'update'; readonly key: readonly string[]; readonly changes: readonly CellChange[] }
  | { readonly kind: 'delete'; readonly key: readonly string[]; readonly old: readonly CellValue[] }

export interface CellConflict {
  readonly column: string
  readonly old: string | null
  readonly theirs: string | null
  readonly mine: string | null
}

export interface RowConflict {
  readonly edit: number
  readonly reason: 'changed' | 'deleted'
  readonly cells: readonly CellConflict[]
}
