import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { type ReceiptOutcome, type Undo, closeReceipt } from '../receipts.ts'
import { writeRejectedRows } from '../rejected-rows.ts'
import type { ChunkCounts } from './chunk-counts.ts'
import { toStoredHash } from './keys/key-sum.ts'
import type { ExistingRange, Load } from './load.ts'
import { toJsonOrNull } from '../writers.ts'

const RECEIPTS = `${LOADS_SCHEMA}.receipts`

export interface LoadProgress {
  readonly isDone: boolean
  readonly isRead: boolean
  readonly isUndone: boolean
  readonly cursor: unknown
  readonly rows: number
  readonly rowsRead: number
  readonly updated: number
  readonly rejected: number
  /** Rows up to here may exist already. */
  readonly edge: ExistingRange | null
  /** Null: of an earlier version of Trellis. */
  readonly reads: string | null
}

export async function findProgress(session: Session, loadId: string): Promise<LoadProgress | undefined> {
  const { rows } = await session.query({
    text: `select is_done, is_read, undone_at is not null, cursor::text, rows, rows_read, rows_updated, quarantined, edge::text, reads from ${RECEIPTS} where load_id = $1`,
    values: [loadId],
  })
  const [row] = rows
  if (!row) return undefined
  const [isDone, isRead, isUndone, cursor, rowsWritten, rowsRead, updated, rejected, edge, reads] = row
  return {
    isDone: isDone === 't',
    isRead: isRead === 't',
    isUndone: isUndone === 't',
    cursor: cursor ? (JSON.parse(cursor) as unknown) : null,
    rows: Number(rowsWritten),
    rowsRead: Number(rowsRead),
    updated: Number(updated),
    rejected: Number(rejected),
    edge: edge ? (JSON.parse(edge) as ExistingRange) : null,
    reads: reads ?? null,
  }
}

/** Resets the receipt if the rows it describes are gone. */
export async function beginReceipt(
  session: Session,
  load: Load,
  { cursor, cursorBefore }: { cursor: unknown; cursorBefore: unknown },
): Promise<void> {
  const { origin, table } = load
  await session.query({
    text: `insert into ${RECEIPTS} as r (load_id, schema_name, table_name, mode, source, rows, done_by, writer, epoch, run_code, subtask,
             window_from, window_to, is_done, is_read, cursor, cursor_before, reads)
           values ($1, $2, $3, $4, $5, 0, $6, $7, $8, $9, $10, $11, $12, false, false, $13::jsonb, $14::jsonb, $15)
           on conflict (load_id) do update set schema_name = excluded.schema_name, table_name = excluded.table_name, mode = excluded.mode,
             source = excluded.source, epoch = excluded.epoch, rows = 0, rows_read = 0, rows_updated = 0, rows_merged = 0,
             quarantined = 0, is_read = false, is_done = false, undo = null, undone_at = null, note = null, source_hash = null, target_hash = null,
             cursor = excluded.cursor, cursor_before = excluded.cursor_before, edge = null,
             reads = excluded.reads`,
    values: [
      load.loadId,
      table.schema,
      table.table,
      load.mode,
      origin.source,
      origin.by,
      load.writer,
      String(load.epoch),
      origin.runCode,
      origin.subtask,
      origin.window?.from ?? null,
      origin.window?.to ?? null,
      toJsonOrNull(cursor),
      toJsonOrNull(cursorBefore ?? cursor),
      load.reads,
    ],
  })
  for (const table of ['quarantine', 'chunks']) {
    await session.query({ text: `delete from ${LOADS_SCHEMA}.${table} where load_id = $1`, values: [load.loadId] })
  }
}

/** An unfinished load of the same writer that ended where the writer's cursor is. */
export async function findContinuedLoad(
  session: Session,
  { writer, loadId, table }: Pick<Load, 'writer' | 'loadId' | 'table'>,
): Promise<string | undefined> {
  const { rows } = await session.query({
    text: `select r.load_id from ${RECEIPTS} r join ${LOADS_SCHEMA}.writers w on w.writer = r.writer and w.cursor = r.cursor
            where r.writer = $1 and r.load_id <> $2 and not r.is_done and r.undone_at is null
              and r.schema_name = $3 and r.table_name = $4 order by r.finished_at desc limit 1`,
    values: [writer, loadId, table.schema, table.table],
  })
  return rows[0]?.[0] ?? undefined
}

export async function resetCursor(session: Session, { writer }: Pick<Load, 'writer'>, loadId: string): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.writers w set cursor = r.cursor_before, changed_at = clock_timestamp()
             from ${RECEIPTS} r where r.load_id = $2 and w.writer = $1`,
    values: [writer, loadId],
  })
}

export async function saveExistingRange(session: Session, loadId: string, edge: ExistingRange): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set edge = $2::jsonb where load_id = $1`,
    values: [loadId, toJsonOrNull(edge)],
  })
}

export async function saveProgress(
  session: Session,
  load: Load,
  { counts, cursor, isLast, undo }: { counts: ChunkCounts; cursor: unknown; isLast: boolean; undo: Undo | null },
): Promise<void> {
  await writeRejectedRows(session, load.loadId, counts.bad)
  const { rows } = await session.query({
    text: `with w as (
             update ${LOADS_SCHEMA}.writers set cursor = coalesce($3::jsonb, cursor), changed_at = clock_timestamp() where writer = $1)
           update ${RECEIPTS} set cursor = coalesce($3::jsonb, cursor), is_read = is_read or $4::boolean, rows = rows + $5::bigint,
             rows_read = rows_read + $6::bigint, rows_updated = rows_updated + $7::bigint, rows_merged = rows_merged + $8::bigint,
             quarantined = quarantined + $9::bigint, source_hash = coalesce(coalesce(source_hash, 0) + $10::numeric, source_hash),
             target_hash = coalesce(coalesce(target_hash, 0) + $11::numeric, target_hash),
             undo = $12::jsonb, finished_at = clock_timestamp()
            where load_id = $2 returning 1`,
    values: [
      load.writer,
      load.loadId,
      toJsonOrNull(cursor),
      String(isLast),
      String(counts.written),
      String(counts.read),
      String(counts.updated),
      String(counts.merged),
      String(counts.bad.length),
      toStoredHash(counts.sourceKeys),
      toStoredHash(counts.targetKeys),
      toJsonOrNull(undo),
    ],
  })
  if (rows.length === 0) throw new Error('The receipt of the load is gone.')
}

/**
 * Records the xid of rows just written. They carry the subtransaction's xid, so call it before the next savepoint.
 * Returns the xid.
 */
export async function recordRowTransaction(session: Session, loadId: string, rows: number): Promise<string | null> {
  if (rows === 0) return null
  const result = await session.query({
    text: `insert into ${LOADS_SCHEMA}.chunks (load_id, transaction, rows) values ($1, pg_current_xact_id(), $2) returning xmin`,
    values: [loadId, String(rows)],
  })
  return result.rows[0]?.[0] ?? null
}

export async function finishReceipt(session: Session, load: Load, outcome: ReceiptOutcome): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.writers set is_done = true, changed_at = clock_timestamp() where writer = $1`,
    values: [load.writer],
  })
  await closeReceipt(session, load.loadId, outcome)
}
