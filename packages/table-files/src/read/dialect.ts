import type { TypeName } from '../values/type-names.ts'

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
  /** Escape character in quotes, besides a doubled quote. */
  readonly escape?: '' | '\\' | undefined
  readonly has_header: boolean
  readonly skip_lines: number
  readonly null_tokens: readonly string[]
  readonly null_words_in_text?: boolean | undefined
  readonly fill_short_rows?: boolean | undefined
  readonly comment?: '' | '#' | '-' | undefined
  readonly decimal_comma: boolean
  readonly date_order: 'ymd' | 'dmy' | 'mdy'
  readonly sheet: string | null
  /** Repeats a merged cell's value in each of its rows. */
  readonly fill_merged?: boolean | undefined
  /** Field of a JSON object that contains the rows; empty if the object itself is a row. */
  readonly records_at?: string | undefined
}

export interface RowFault {
  /** 1-based. */
  readonly row: number
  readonly line: number
  /** 0-based, if a single value is at fault. */
  readonly column: number | null
  readonly value: string | null
  readonly reason: string
  readonly raw: string
}

export interface FileRow {
  readonly row: number
  readonly line: number
  readonly cells: readonly (string | null)[]
  readonly kinds?: readonly number[]
  readonly fault: RowFault | null
}

export interface OpenTable {
  readonly headers: readonly string[]
  readonly types?: readonly (TypeName | undefined)[]
  rows(): AsyncIterable<FileRow[]>
  warnings?(): string[]
  doneBytes(): number
}

export const SHOWN_VALUE = 500
export const SHOWN_RAW = 16 * 1024

export const shorten = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)
