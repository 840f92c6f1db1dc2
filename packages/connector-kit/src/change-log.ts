import type { FormaValues } from '@trellis/contract/formas/forma'
import type { Batch, Field } from './batch.ts'
import type { ConnectorContext } from './context.ts'

/** As the source writes it; `undefined` where the log says nothing of the column, so that it keeps what it holds. */
export type ChangedValue = string | null | undefined

/** In the order of the source's commits; `committedAt` is the time of the commit, in UTC. */
export type RowChange = { readonly committedAt: string } & (
  | {
      readonly kind: 'write'
      /** In the order of the fields. */
      readonly values: readonly ChangedValue[]
      /** The row was not there before: what the log says nothing of is empty. */
      readonly isNew: boolean
      /** The key the row had before, when it has another one now. */
      readonly oldKey: readonly string[] | null
    }
  | { readonly kind: 'delete'; readonly key: readonly string[] }
  | { readonly kind: 'truncate' }
)

/** What a TRUNCATE at the source does to the table; `write_mode`: Replace deletes all of its rows, Upsert keeps them. */
export type TruncateChoice = 'write_mode' | 'delete_all' | 'keep'

export interface ChangePiece {
  readonly changes: readonly RowChange[]
  /** All commits up to here are read. Absent in the middle of a transaction: nothing may be committed yet. */
  readonly position?: string
}

/** The rows of a table as they are where its slot begins. */
export interface Snapshot {
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  /** Only the last one has a state, `{ position }`: a snapshot can't be gone on with. */
  readonly batches: AsyncIterable<Batch>
}

export interface ChangeStream {
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  /** The end of the source's log when the stream was opened. */
  readonly target: string
  /** Columns of the log that were not there or of another type when the stream was opened; it ends before their first change. */
  readonly newColumns: () => readonly string[]
  /** What came since, at the latest after `waitMs`; nothing when nothing came. */
  next(waitMs: number): Promise<ChangePiece | undefined>
  /** The log up to here is not needed any more. */
  confirm(position: string): void
  /** Tells the server what was confirmed before the connection ends. */
  close(): Promise<void>
}

/** Where the log is kept for one reader at the source. */
export interface SlotState {
  readonly name: string
  /** Bytes of the log that the source keeps for it; null when the source has given it up. */
  readonly keptBytes: number | null
  readonly isActive: boolean
}

export interface ChangesRequest {
  readonly query: FormaValues
  /** Lower case letters, digits and underscores, at most 63. The slot and the publication are called so. */
  readonly slot: string
}

/** A source that can tell what changed, deletes too, by its log. */
export interface ChangeLog {
  /** Whether this query asks for it. */
  isWanted(query: FormaValues): boolean
  /** Whether a run stays and applies changes as they come. */
  isContinuous(query: FormaValues): boolean
  /** The field in which deleted rows can be marked with the time of the delete. No table of the source has it. */
  readonly deletedAtField: string
  /** Whether deleted rows are to be marked there; otherwise they are to be deleted. */
  marksDeletes(query: FormaValues): boolean
  getTruncateChoice(query: FormaValues): TruncateChoice
  /** What of the query a position belongs to; with another one everything is read again. */
  getSubject(query: FormaValues): unknown
  /** Begins anew: makes the slot, and reads the rows exactly as they are where the slot begins. */
  openSnapshot(context: ConnectorContext, request: ChangesRequest): Promise<Snapshot>
  /** From behind `from`. A text says why the log does not reach back so far any more. */
  openChanges(
    context: ConnectorContext,
    request: ChangesRequest & {
      readonly from: string
      /** Columns as `newColumns` gave them that are known to be of the past. */
      readonly passedColumns: readonly string[]
    },
  ): Promise<ChangeStream | { readonly lost: string }>
  /** Of this name and those that begin with it. */
  listSlots(context: ConnectorContext, prefix: string): Promise<readonly SlotState[]>
  /** The slot and its publication, also when only one of them is there. */
  dropSlot(context: ConnectorContext, slot: string): Promise<void>
  /** -1 for "before", 0, 1. */
  comparePositions(one: string, other: string): number
}
