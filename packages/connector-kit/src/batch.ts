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

/** A malformed record of a source (a value too many, invalid bytes, broken JSON), with its place and the reason. */
export interface RejectedRecord {
  readonly line: number
  readonly reason: string
  readonly raw: string
  /** Best effort, by field. */
  readonly cells: Readonly<Record<string, string | null>>
}

interface BatchEnd {
  /** Reading from here gives exactly what comes after this batch; absent where a source can't stop in the middle. */
  readonly state?: ReadState
  /** Met up to the end of this batch: they are read with it, beside its rows. */
  readonly rejected?: readonly RejectedRecord[]
}

/** Rows in the order of the reading's fields. */
export interface RowBatch extends BatchEnd {
  readonly kind: 'rows'
  readonly rows: readonly (readonly Value[])[]
}

/** Whole lines of Postgres' COPY text format: what comes from a Postgres goes into one without being looked at. */
export interface CopyBatch extends BatchEnd {
  readonly kind: 'copy'
  /** Of whoever takes the batch, who may release them. */
  readonly bytes: Uint8Array
  readonly rowCount: number
}

/** How the records of a file are written, in the words of COPY. An empty value is nothing, in quotes only where no text belongs. */
export interface CsvFormat {
  readonly delimiter: string
  readonly quote: string
  readonly eol: '\n' | '\r\n' | '\r'
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy'
  /** Names of the reading's fields in the order of a record's values; all of them, each once. */
  readonly fields: readonly string[]
}

/** Whole records of CSV that COPY reads as people mean them: a file goes into a Postgres without being looked at. */
export interface CsvBatch extends BatchEnd {
  readonly kind: 'csv'
  /** Of whoever takes the batch, who may release them. */
  readonly bytes: Uint8Array
  readonly rowCount: number
  /** The same object for all batches that are written alike. */
  readonly format: CsvFormat
  /** The same as rows. Costs far more than passing the bytes on. */
  rows(): readonly (readonly Value[])[]
}

export type Batch = RowBatch | CopyBatch | CsvBatch

export const countRows = (batch: Batch): number => (batch.kind === 'rows' ? batch.rows.length : batch.rowCount)
