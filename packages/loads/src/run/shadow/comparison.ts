export interface DifferentRow {
  readonly change: 'added' | 'changed' | 'gone'
  readonly before: readonly (string | null)[] | null
  readonly after: readonly (string | null)[] | null
}

export interface Comparison {
  readonly subtask: string
  readonly schema: string
  readonly table: string
  readonly strategy: string
  readonly hasTable: boolean
  /** Without a key rows are compared as a whole, and none counts as changed. */
  readonly key: readonly string[]
  readonly added: number
  readonly changed: number
  readonly gone: number
  readonly same: number
  readonly rejected: number
  readonly changedColumns: readonly { readonly name: string; readonly rows: number }[]
  readonly columns: readonly string[]
  readonly sample: readonly DifferentRow[]
  readonly misfits: readonly {
    readonly row: number
    readonly column: string | null
    readonly value: string | null
    readonly reason: string
  }[]
  readonly notes: readonly string[]
}

export interface DryRun {
  readonly comparedTable: { readonly schema: string; readonly table: string }
  readonly strategy: string
  readonly key: readonly string[]
  readonly isWhole: boolean
  readonly notes: readonly string[]
}
