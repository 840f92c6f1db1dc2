import type { ColumnType } from '@trellis/contract/explorer/column-types'

/** A value as every source hands it over: numbers that may not fit are texts, dates and times are ISO texts, JSON is text. */
export type Value = string | number | boolean | null

export interface Field {
  readonly name: string
  readonly type: ColumnType
  readonly isNullable: boolean
}

/** Anything that survives `JSON.stringify`: where a read stands, so that another process can go on from there. */
export type ReadState = { readonly [key: string]: unknown }

interface BatchEnd {
  /** Reading from here gives exactly what comes after this batch; absent where a source can't stop in the middle. */
  readonly state?: ReadState
}

/** Rows in the order of the reading's fields. */
export interface RowBatch extends BatchEnd {
  readonly kind: 'rows'
  readonly rows: readonly (readonly Value[])[]
}

/** Whole lines of Postgres' COPY text format: what comes from a Postgres goes into one without being looked at. */
export interface CopyBatch extends BatchEnd {
  readonly kind: 'copy'
  readonly bytes: Uint8Array
  readonly rowCount: number
}

export type Batch = RowBatch | CopyBatch

export const rowCountOf = (batch: Batch): number => (batch.kind === 'rows' ? batch.rows.length : batch.rowCount)
