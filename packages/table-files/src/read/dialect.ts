import type { TypeName } from '../values/type-names.ts'

/** How a file is written: the same words as on the wire. */
export interface FileDialect {
  readonly format: 'csv' | 'jsonl' | 'xlsx' | 'parquet'
  readonly encoding:
    | 'utf-8'
    | 'utf-16le'
    | 'utf-16be'
    | 'windows-1252'
    | 'windows-1250'
    | 'windows-1251'
    | 'windows-1253'
    | 'windows-1254'
    | 'windows-1255'
    | 'windows-1256'
    | 'windows-1257'
    | 'windows-874'
    | 'iso-8859-2'
    | 'koi8-r'
    | 'ibm866'
    | 'ibm850'
    | 'macintosh'
    | 'shift_jis'
    | 'euc-jp'
    | 'gb18030'
    | 'big5'
    | 'euc-kr'
  readonly delimiter: string
  readonly quote: string
  /** What makes a quote inside quotes part of the text, beside a second quote. */
  readonly escape?: '' | '\\' | undefined
  readonly has_header: boolean
  readonly skip_lines: number
  readonly null_tokens: readonly string[]
  /** Words for nothing are that in columns of text too. */
  readonly null_words_in_text?: boolean | undefined
  /** Rows with fewer values than the header get nothing for those that are missing. */
  readonly fill_short_rows?: boolean | undefined
  /** Lines that are no rows: comments with another number of values than the rows, or ruled lines between them. */
  readonly comment?: '' | '#' | '-' | undefined
  readonly decimal_comma: boolean
  readonly date_order: 'ymd' | 'dmy' | 'mdy'
  readonly sheet: string | null
  /** The value of cells merged over several rows is repeated in each of them. */
  readonly fill_merged?: boolean | undefined
  /** The field of a JSON object that holds the rows; empty where the object is a row itself. */
  readonly records_at?: string | undefined
}

/** A row that does not fit, where it stands and why. */
export interface RowFault {
  /** From 1 over the rows of data. */
  readonly row: number
  readonly line: number
  /** Position in the file, when one value is to blame. */
  readonly column: number | null
  readonly value: string | null
  readonly reason: string
  readonly raw: string
}

/** A row of a file, whatever its format. A cell is null where the file has nothing. */
export interface FileRow {
  readonly row: number
  readonly line: number
  readonly cells: readonly (string | null)[]
  /** What the file itself says of each value, in bits. */
  readonly kinds?: readonly number[]
  readonly fault: RowFault | null
}

/** A table in a file: its headers, and its rows as often as they are asked for. */
export interface OpenTable {
  readonly headers: readonly string[]
  /** Types by the file's own schema. */
  readonly types?: readonly (TypeName | undefined)[]
  rows(): AsyncIterable<FileRow[]>
  /** What was found in the rows that were read so far. */
  warnings?(): string[]
  /** Bytes of the file that have been read so far, as well as it is known. */
  doneBytes(): number
}

export const SHOWN_VALUE = 500
export const SHOWN_RAW = 16 * 1024

export const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)
