import type { ColumnType } from '@trellis/contract/explorer/column-types'

/** JSON-safe: numbers that could lose precision, ISO dates and times, and JSON are strings. */
export type Value = string | number | boolean | null

export interface Field {
  readonly name: string
  readonly type: ColumnType
  readonly isNullable: boolean
}

/** The source's checkpoint: JSON, so that another process can resume from it. */
export type ReadState = { readonly [key: string]: unknown }

export interface RejectedRecord {
  readonly line: number
  readonly reason: string
  readonly raw: string
  /** Best effort: the values that could be read, by field. */
  readonly cells: Readonly<Record<string, string | null>>
}

interface BatchEnd {
  /** Checkpoint after this batch; absent if the source cannot resume here. */
  readonly state?: ReadState
  readonly rejected?: readonly RejectedRecord[]
}

export interface RowBatch extends BatchEnd {
  readonly kind: 'rows'
  readonly rows: readonly (readonly Value[])[]
}

/** Whole lines in Postgres' COPY text format, passed from one Postgres to another without parsing. */
export interface CopyBatch extends BatchEnd {
  readonly kind: 'copy'
  readonly bytes: Uint8Array
  readonly rowCount: number
}

/** Options of COPY … (FORMAT csv). An unquoted empty value is NULL; in non-text columns a quoted one is too. */
export interface CsvFormat {
  readonly delimiter: string
  readonly quote: string
  readonly eol: '\n' | '\r\n' | '\r'
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy'
  /** Every field once, in the order of a record's values. */
  readonly fields: readonly string[]
}

/** Whole CSV records, passed to COPY without parsing. */
export interface CsvBatch extends BatchEnd {
  readonly kind: 'csv'
  readonly bytes: Uint8Array
  readonly rowCount: number
  readonly format: CsvFormat
  /** Parses the bytes: far slower than passing them on. */
  rows(): readonly (readonly Value[])[]
}

export type Batch = RowBatch | CopyBatch | CsvBatch

export const countRows = (batch: Batch): number => (batch.kind === 'rows' ? batch.rows.length : batch.rowCount)
