import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'

const RECEIPTS = `${LOADS_SCHEMA}.receipts`

/** NaN: not all keys were comparable. */
const IF_HASHES_KNOWN = `case when 'NaN' is distinct from r.source_hash and 'NaN' is distinct from r.target_hash then`

export interface RunReceipt {
  readonly loadId: string
  readonly subtask: string
  readonly schema: string
  readonly table: string
  readonly mode: string
  readonly window: { readonly from: string; readonly to: string } | null
  readonly rowsRead: number
  readonly rows: number
  readonly rejected: number
  /** Duplicates by key. */
  readonly merged: number
  readonly sourceHash: string | null
  readonly targetHash: string | null
  readonly isDone: boolean
  readonly canUndo: boolean
  readonly note: string | null
  readonly undoneAt: string | null
}

export async function listRunReceipts(session: Session, runCode: string): Promise<RunReceipt[]> {
  const { rows } = await session.query({
    text: `select r.load_id, r.subtask, r.schema_name, r.table_name, r.mode, r.window_from, r.window_to, r.rows_read, r.rows,
                  r.quarantined, r.rows_merged, ${IF_HASHES_KNOWN} r.source_hash end, ${IF_HASHES_KNOWN} r.target_hash end, r.is_done, r.note,
                  to_char(r.undone_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                  r.undo is not null and r.undone_at is null and not exists (
                    select from ${RECEIPTS} o where o.schema_name = r.schema_name and o.table_name = r.table_name
                       and o.load_id <> r.load_id and o.undone_at is null and o.mode <> 'undo'
                       and (o.is_done or (o.rows > 0 and o.mode <> 'replace')) and o.finished_at > r.finished_at)
             from ${RECEIPTS} r where r.run_code = $1 order by r.subtask, r.finished_at limit 500`,
    values: [runCode],
  })
  return rows.map((row) => {
    const [loadId, subtask, schema, table, mode, from, to, rowsRead, rowsWritten, rejected, merged] = row
    const [sourceHash, targetHash, isDone, note, undoneAt, canUndo] = row.slice(11)
    return {
      loadId: loadId ?? '',
      subtask: subtask ?? '',
      schema: schema ?? '',
      table: table ?? '',
      mode: mode ?? '',
      window: from && to ? { from, to } : null,
      rowsRead: Number(rowsRead),
      rows: Number(rowsWritten),
      rejected: Number(rejected),
      merged: Number(merged),
      sourceHash: sourceHash ?? null,
      targetHash: targetHash ?? null,
      isDone: isDone === 't',
      note: note ?? null,
      undoneAt: undoneAt ?? null,
      canUndo: canUndo === 't',
    }
  })
}
