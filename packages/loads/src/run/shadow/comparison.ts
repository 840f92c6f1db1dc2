/** One row that would be different: its values in the order of `columns`, cut to what can be shown. */
export interface DifferentRow {
  readonly change: 'added' | 'changed' | 'gone'
  readonly before: readonly (string | null)[] | null
  readonly after: readonly (string | null)[] | null
}

/** What a run would have made of a table. */
export interface Comparison {
  readonly subtask: string
  readonly schema: string
  readonly table: string
  readonly strategy: string
  readonly hasTable: boolean
  /** By which rows are told apart; without one they are compared as a whole, and none counts as changed. */
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
  /** What would happen to the table itself, in words. */
  readonly notes: readonly string[]
}

/** What stands in place of the swap when rows are only to be compared. */
export interface Shadow {
  /** The table the rows would go to. */
  readonly of: { readonly schema: string; readonly table: string }
  readonly strategy: string
  readonly key: readonly string[]
  /** All rows the table would have were read: those that are missing would be gone. */
  readonly isWhole: boolean
  readonly notes: readonly string[]
}
