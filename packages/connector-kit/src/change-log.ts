import type { FormaValues } from '@trellis/contract/formas/forma'
import type { Batch, Field } from './batch.ts'
import type { ConnectorContext } from './context.ts'

/** As the source's text; `undefined` if the log omits the column (unchanged TOAST), which then keeps its value. */
export type ChangedValue = string | null | undefined

/** In commit order; `committedAt` in UTC. */
export type RowChange = { readonly committedAt: string } & (
  | {
      readonly kind: 'write'
      readonly values: readonly ChangedValue[]
      /** An insert: columns that the log omits are NULL. */
      readonly isNew: boolean
      readonly oldKey: readonly string[] | null
    }
  | { readonly kind: 'delete'; readonly key: readonly string[] }
  | { readonly kind: 'truncate' }
)

/** What a TRUNCATE at the source does here. `write_mode`: Replace deletes all rows, Upsert keeps them. */
export type TruncateChoice = 'write_mode' | 'delete_all' | 'keep'

export interface ChangePiece {
  readonly changes: readonly RowChange[]
  /** All commits up to here are included. Absent within a transaction: nothing may be committed yet. */
  readonly position?: string
}

/** The table's rows as of the position at which the slot starts. */
export interface Snapshot {
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  /** Only the last batch has a state, `{ position }`: a snapshot cannot be resumed. */
  readonly batches: AsyncIterable<Batch>
}

export interface ChangeStream {
  readonly fields: readonly Field[]
  readonly key: readonly string[]
  readonly target: string
  /** Columns in the log that are new or have another type; the stream ends before their first change. */
  readonly newColumns: () => readonly string[]
  next(waitMs: number): Promise<ChangePiece | undefined>
  /** Lets the source discard its log up to here. */
  confirm(position: string): void
  close(): Promise<void>
}

export interface SlotState {
  readonly name: string
  /** Bytes of log retained for the slot; null once the source has invalidated it. */
  readonly keptBytes: number | null
  readonly isActive: boolean
}

export interface ChangesRequest {
  readonly query: FormaValues
  /** Lower case letters, digits and underscores, at most 63. Names the slot and the publication. */
  readonly slot: string
}

/** Change data capture (CDC) by the source's own log. */
export interface ChangeLog {
  isWanted(query: FormaValues): boolean
  isContinuous(query: FormaValues): boolean
  /** For soft deletes: the field that holds the time of the delete. */
  readonly deletedAtField: string
  marksDeletes(query: FormaValues): boolean
  getTruncateChoice(query: FormaValues): TruncateChoice
  /** The part of the query that a position belongs to; if it changes, a new snapshot is needed. */
  getSubject(query: FormaValues): unknown
  /** Creates the slot, and reads the rows as of its start. */
  openSnapshot(context: ConnectorContext, request: ChangesRequest): Promise<Snapshot>
  /** `lost` says why the log no longer reaches back to `from`. */
  openChanges(
    context: ConnectorContext,
    request: ChangesRequest & {
      readonly from: string
      /** `newColumns` of an earlier stream that are already handled. */
      readonly passedColumns: readonly string[]
    },
  ): Promise<ChangeStream | { readonly lost: string }>
  listSlots(context: ConnectorContext, prefix: string): Promise<readonly SlotState[]>
  dropSlot(context: ConnectorContext, slot: string): Promise<void>
  comparePositions(one: string, other: string): number
}
