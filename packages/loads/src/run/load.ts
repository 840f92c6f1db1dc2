import type { CsvFormat } from '../copy-csv.ts'
import type { LoadPhase } from '../plan/load-plan.ts'
import type { WrittenColumn } from '../plan/tables.ts'
import type { TableName } from '../target.ts'
import type { Shadow } from './shadow/comparison.ts'

interface BadRows {
  readonly choice: 'stop' | 'quarantine' | 'set_null'
  readonly most: number
}

/** The greatest value the cursor column had before the load; without one every row may be there already. */
export interface Edge {
  readonly to: string | null
}

/** One load of one run into one table; the same for every attempt. */
export interface Load {
  readonly writer: string
  readonly epoch: number
  readonly loadId: string
  readonly table: TableName
  readonly mode: 'append' | 'replace' | 'upsert'
  readonly phases: readonly LoadPhase[]
  /** In the order of the values of a line. */
  readonly columns: readonly WrittenColumn[]
  readonly key: readonly string[]
  /** Columns whose values are added up at both ends: the key of the table. */
  readonly proofKey: readonly string[]
  /** The column in which rows that were deleted at the source are marked and kept. */
  readonly deletedAt?: string
  readonly badRows: BadRows
  /** Decides whether a cursor of an earlier load still says something. */
  readonly reads: string
  /** One transaction from its beginning to its last chunk: what it was planned by may turn out to be wrong. */
  readonly isProvisional?: boolean
  /** Goes on where the last load of the writer ended. */
  readonly isIncremental: boolean
  /**
   * An append that may be given rows again, and the columns by which they are known. Without a key or a cursor column rows
   * are compared as a whole.
   */
  readonly again: { readonly key: readonly string[]; readonly cursor: string | null } | null
  /** The rows are only compared with those of a table. */
  readonly shadow: Shadow | null
  /** An upsert gathers so many rows before it merges them: each merge may have to look at the whole table. */
  readonly mergeRows: number
  readonly about: {
    readonly runCode: string
    readonly subtask: string
    readonly source: string
    readonly by: string | null
    readonly window: { readonly from: string; readonly to: string } | null
  }
  readonly onStatement?: (text: string) => void
}

/** How the records of a chunk are written, and what they are as lines of COPY text. */
export interface CsvRecords extends CsvFormat {
  readonly eol: '\n' | '\r\n' | '\r'
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy'
  /** Records by their number in the chunk, counted from 1; all of them without numbers. May mend what COPY does not read. */
  toLines(numbers?: readonly number[]): Pick<Chunk, 'parts' | 'counts' | 'rows'>
}

/** A malformed record of the source. */
interface RejectedRecord {
  readonly line: number
  readonly reason: string
  readonly raw: string
  /** By field, as far as they are known. */
  readonly cells: Readonly<Record<string, string | null>>
}

/** Whole lines of COPY text with one value for each column of the load, or whole records of CSV. */
export interface Chunk {
  readonly parts: readonly Uint8Array[]
  /** Rows of each part. */
  readonly counts: readonly number[]
  readonly rows: number
  /** Has one part more, or tells that there is none. Before that neither the end of the chunk nor what is below is known. */
  readonly more?: () => Promise<boolean>
  /** Where the read goes on behind it; without one it is committed together with what follows. */
  readonly cursor?: unknown
  readonly isLast: boolean
  /** The source failed at a place from which it can't go on: nothing of the chunk may be committed. */
  readonly fault?: unknown
  /** Read beside the rows; complete at the end of the chunk. */
  readonly rejected?: readonly RejectedRecord[]
  /** The parts are records of CSV. */
  readonly csv?: CsvRecords | undefined
  /** Places of the lines in a greater chunk they were taken from. */
  readonly places?: readonly number[]
}

export interface Written {
  readonly read: number
  readonly bytes: number
  readonly written: number
  readonly updated: number
  readonly rejected: number
  /** Nothing is there for good before this. */
  readonly isCommitted: boolean
}

/** Rows that do not fit, and more of them than are wanted to be set aside. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused'
}
