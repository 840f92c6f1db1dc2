import type { CsvFormat } from '../copy-csv.ts'
import type { LoadPhase } from '../plan/load-plan.ts'
import type { WrittenColumn } from '../plan/tables.ts'
import type { TableName } from '../target.ts'
import type { DryRun } from './shadow/comparison.ts'

interface BadRowPolicy {
  readonly choice: 'stop' | 'quarantine' | 'set_null'
  readonly most: number
}

/** Maximum of the cursor column before the load; null: any row may exist. */
export interface ExistingRange {
  readonly to: string | null
}

export interface Load {
  /** Name under which fence and cursor are stored; one load at a time writes under it. */
  readonly writer: string
  readonly epoch: number
  readonly loadId: string
  readonly table: TableName
  readonly mode: 'append' | 'replace' | 'upsert'
  readonly phases: readonly LoadPhase[]
  readonly columns: readonly WrittenColumn[]
  readonly key: readonly string[]
  /** Columns hashed at both ends. */
  readonly proofKey: readonly string[]
  /** Soft-delete column. */
  readonly deletedAt?: string
  readonly badRows: BadRowPolicy
  /** Fingerprint of what is read and where it goes: a cursor belongs to loads with the same one. */
  readonly reads: string
  /** All chunks are one transaction, rolled back if the rows contradict the plan. */
  readonly isProvisional?: boolean
  readonly isIncremental: boolean
  /** For Append over ranges read before: how to find duplicates. Without key or cursor, whole rows are compared. */
  readonly duplicateCheck: { readonly key: readonly string[]; readonly cursor: string | null } | null
  /** Dry run. */
  readonly shadow: DryRun | null
  /** Batch size of merges, each of which may scan the whole table. */
  readonly mergeRows: number
  readonly origin: {
    readonly runCode: string
    readonly subtask: string
    readonly source: string
    readonly by: string | null
    readonly window: { readonly from: string; readonly to: string } | null
  }
  readonly onStatement?: (text: string) => void
}

/** The record format, and how to convert records to COPY lines. */
export interface CsvRecords extends CsvFormat {
  readonly eol: '\n' | '\r\n' | '\r'
  readonly dateOrder: 'ymd' | 'dmy' | 'mdy'
  /** 1-based within the chunk; defaults to all. Also repairs records that COPY rejects. */
  toLines(numbers?: readonly number[]): Pick<Chunk, 'parts' | 'counts' | 'rows'>
}

interface RejectedRecord {
  readonly line: number
  readonly reason: string
  readonly raw: string
  readonly cells: Readonly<Record<string, string | null>>
}

export interface Chunk {
  readonly parts: readonly Uint8Array[]
  /** Rows of each part. */
  readonly counts: readonly number[]
  readonly rows: number
  /** Reads one more part; false at the end. The fields below are valid only then. */
  readonly more?: () => Promise<boolean>
  /** Checkpoint after the chunk; without one it commits with the next. */
  readonly cursor?: unknown
  readonly isLast: boolean
  /** The source failed without a checkpoint: nothing of the chunk may be committed. */
  readonly fault?: unknown
  readonly rejected?: readonly RejectedRecord[]
  readonly csv?: CsvRecords | undefined
  /** Row numbers of the lines in the whole chunk, if these are only some of its rows. */
  readonly places?: readonly number[]
}

export interface LoadResult {
  readonly read: number
  readonly bytes: number
  readonly written: number
  readonly updated: number
  readonly rejected: number
  /** Misfits replaced by NULL. */
  readonly emptied: number
  /** Not durable before. */
  readonly isCommitted: boolean
}

/** More misfits than allowed. */
export class RowsRefused extends Error {
  override readonly name = 'RowsRefused'
}
