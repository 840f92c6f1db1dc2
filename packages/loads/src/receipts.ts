import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import type { TableName } from './target.ts'
import { type WriterClaim, claimAndFinish } from './writers.ts'

type LoadMode = 'new' | 'append' | 'replace' | 'upsert' | 'undo'

export type Undo =
  | { readonly kind: 'remove' }
  /** The previous table is kept. */
  | { readonly kind: 'swap'; readonly kept: string; readonly indexes: readonly string[] }
  | { readonly kind: 'refill'; readonly kept: string }
  | { readonly kind: 'rows'; readonly transaction: string; readonly rows: number }
  | { readonly kind: 'chunks' }
  | { readonly kind: 'merge'; readonly kept: string; readonly key: readonly string[] }
  /** The table itself was moved aside. Older receipts lack index names. */
  | { readonly kind: 'restore'; readonly kept: string; readonly indexes?: readonly string[] }

export interface Receipt extends TableName {
  readonly loadId: string
  readonly mode: LoadMode
  readonly source: string
  readonly rows: number
  readonly quarantined: number
  readonly by: string | null
  readonly undo: Undo | null
  readonly isUndone: boolean
  readonly finishedAt: string
}

export interface NewReceipt extends TableName {
  readonly loadId: string
  readonly mode: LoadMode
  readonly source: string
  readonly by: string | null
  /** Fencing token. */
  readonly fence?: Pick<WriterClaim, 'writer' | 'epoch'>
}

const RECEIPTS = `${LOADS_SCHEMA}.receipts`
const RECEIPT_COLUMNS = `load_id, schema_name, table_name, mode, source, rows, quarantined, done_by, undo::text, undone_at,
  to_char(finished_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** First statement of a delivery: a concurrent duplicate waits here and then finds it done. */
export async function openReceipt(session: Session, receipt: NewReceipt): Promise<boolean> {
  if (receipt.fence) await claimAndFinish(session, { ...receipt.fence, loadId: receipt.loadId })
  const { rows } = await session.query({
    text: `insert into ${RECEIPTS} (load_id, schema_name, table_name, mode, source, rows, done_by)
           values ($1, $2, $3, $4, $5, 0, $6) on conflict (load_id) do nothing returning 1`,
    values: [receipt.loadId, receipt.schema, receipt.table, receipt.mode, receipt.source, receipt.by],
  })
  return rows.length > 0
}

export interface ReceiptOutcome {
  readonly undo: Undo | null
  readonly note?: string | null
  readonly rows?: number
  readonly rejected?: number
  readonly updated?: number
}

export const TOO_MANY_CHANGED = 'Too many rows were changed to keep what they held before.'

export async function closeReceipt(session: Session, loadId: string, outcome: ReceiptOutcome): Promise<void> {
  const { undo, note = null, rows = null, rejected = null, updated = null } = outcome
  const counts = [rows, rejected, updated].map((count) => (count === null ? null : String(count)))
  await session.query({
    text: `update ${RECEIPTS} set is_done = true, undo = $2::jsonb, note = $3, rows = coalesce($4::bigint, rows),
             quarantined = coalesce($5::bigint, quarantined), rows_read = coalesce($4::bigint + $5::bigint, rows_read),
             rows_updated = coalesce($6::bigint, rows_updated),
             finished_at = clock_timestamp() where load_id = $1`,
    values: [loadId, undo && JSON.stringify(undo), note, ...counts],
  })
}

type Row = readonly (string | null)[]

function toReceipt(row: Row): Receipt {
  const [loadId, schema, table, mode, source, rows, quarantined, by, undo, undoneAt, finishedAt] = row
  return {
    loadId: loadId ?? '',
    schema: schema ?? '',
    table: table ?? '',
    mode: (mode ?? 'new') as LoadMode,
    source: source ?? '',
    rows: Number(rows),
    quarantined: Number(quarantined),
    by: by ?? null,
    undo: undo ? (JSON.parse(undo) as Undo) : null,
    isUndone: undoneAt !== null,
    finishedAt: finishedAt ?? '',
  }
}

export async function findReceipt(session: Session, loadId: string): Promise<Receipt | undefined> {
  const { rows } = await session.query({
    text: `select ${RECEIPT_COLUMNS} from ${RECEIPTS} where load_id = $1`,
    values: [loadId],
  })
  return rows[0] && toReceipt(rows[0])
}

export async function listReceipts(
  session: Session,
  { schema, table, limit = 200 }: { schema: string; table?: string; limit?: number },
): Promise<Receipt[]> {
  const { rows } = await session.query({
    text: `select ${RECEIPT_COLUMNS} from ${RECEIPTS} where schema_name = $1 and ($2::text is null or table_name = $2)
              -- A load that has not changed the table yet.
              and (is_done or (rows > 0 and mode <> 'replace'))
            order by finished_at desc, load_id limit ${Math.trunc(limit)}`,
    values: [schema, table ?? null],
  })
  return rows.map((row) => toReceipt(row))
}

/** Only the newest standing load, or a rollback without later loads. */
export function canUndo(receipt: Receipt, receiptsNewestFirst: readonly Receipt[]): boolean {
  const standingReceipts = receiptsNewestFirst.filter(({ table, isUndone }) => table === receipt.table && !isUndone)
  const newestStanding =
    receipt.mode === 'undo' ? standingReceipts[0] : standingReceipts.find(({ mode }) => mode !== 'undo')
  return receipt.undo !== null && !receipt.isUndone && newestStanding?.loadId === receipt.loadId
}

export async function markUndone(session: Session, loadId: string): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set undone_at = clock_timestamp() where load_id = $1`,
    values: [loadId],
  })
}

export async function clearUndo(session: Session, backupName: string): Promise<void> {
  await session.query({ text: `update ${RECEIPTS} set undo = null where undo->>'kept' = $1`, values: [backupName] })
}
