import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { qualifyPlatformTable } from './own-tables.ts'
import type { Receipt, Undo } from './receipts.ts'
import { type Target, getTarget, createRefusedError } from './target.ts'
import { VERSION_ORDER_COLUMN, VERSION_XID_COLUMN } from './run/merge.ts'
import { joinNames } from './run/table-steps.ts'

const ROWS_CHANGED =
  'Rows of this load were changed or removed since, so they can not be taken out by themselves any more.'
/** xids wrap around; older rows cannot be identified. */
const MAX_XID_AGE = 1_000_000_000
const TOO_LONG_AGO = 'This load is too long ago to be rolled back.'

interface WrittenRows {
  readonly target: Target
  readonly transactions: string
  readonly rows: number
}

async function findRowsByChunks(session: Session, load: Receipt): Promise<WrittenRows> {
  const target = await getTarget(session, load)
  await session.query({ text: `lock table ${target.quoted} in share row exclusive mode` })
  const { rows } = await session.query({
    text: `select array_agg(distinct xmin::text), coalesce(sum(rows), 0),
                  coalesce(bool_and(pg_current_xact_id()::text::numeric - transaction::text::numeric < ${MAX_XID_AGE}), true)
             from ${LOADS_SCHEMA}.chunks where load_id = $1`,
    values: [load.loadId],
  })
  const [transactions, count, isRecent] = rows[0] ?? []
  if (isRecent !== 't') throw createRefusedError(TOO_LONG_AGO)
  return { target, transactions: transactions ?? '{}', rows: Number(count) }
}

/** Older receipts name a single transaction. */
async function findRowsByTransaction(
  session: Session,
  load: Receipt,
  undo: Undo & { kind: 'rows' },
): Promise<WrittenRows> {
  const target = await getTarget(session, load)
  const { rows } = await session.query({
    text: `select pg_current_xact_id()::text::numeric - $1::numeric < ${MAX_XID_AGE}, $1::numeric % 4294967296`,
    values: [undo.transaction],
  })
  const [isRecent, transaction] = rows[0] ?? []
  if (isRecent !== 't') throw createRefusedError(TOO_LONG_AGO)
  return { target, transactions: `{${transaction}}`, rows: undo.rows }
}

export async function deleteAppendedRows(
  session: Session,
  load: Receipt,
  undo: Undo & { kind: 'rows' | 'chunks' },
): Promise<{ rows: number; undo: null }> {
  const { target, transactions, rows } =
    undo.kind === 'rows' ? await findRowsByTransaction(session, load, undo) : await findRowsByChunks(session, load)
  const { rowCount } = await session.query({
    text: `delete from ${target.quoted} where xmin = any($1::text[]::xid[])`,
    values: [transactions],
  })
  if (rowCount !== rows) throw createRefusedError(ROWS_CHANGED)
  return { rows: rowCount, undo: null }
}

/** Deletes inserted rows and restores the first previous version of updated ones. */
export async function revertMerge(
  session: Session,
  load: Receipt,
  { kept: backupName, key }: Undo & { kind: 'merge' },
): Promise<{ rows: number; undo: null }> {
  const { target, transactions } = await findRowsByChunks(session, load)
  const backupTable = qualifyPlatformTable(backupName)
  const { rows: counts } = await session.query({
    text: `select count(*), (select rows_updated from ${LOADS_SCHEMA}.receipts where load_id = $1) from ${backupTable}`,
    values: [load.loadId],
  })
  // A crash emptied the unlogged table.
  if (counts[0]?.[0] !== counts[0]?.[1]) throw createRefusedError('What the rows held before is not kept any more.')
  const columns = await readBackupColumns(session, backupTable)
  const nonKeyColumns = columns.filter((name) => !key.includes(name))
  const keyCondition = key.map((name) => `t.${quoteName(name)} = b.${quoteName(name)}`).join(' and ')
  const isFromLoad = 'any($1::text[]::xid[])'
  const firstVersions = `select distinct on (${joinNames(key)}) * from ${backupTable} order by ${joinNames(key)}, ${VERSION_ORDER_COLUMN}`
  const { rows: counted } = await session.query({
    text: `select count(*), count(*) filter (where t.xmin = ${isFromLoad}) from (${firstVersions}) b left join ${target.quoted} t on ${keyCondition}`,
    values: [transactions],
  })
  if (counted[0]?.[0] !== counted[0]?.[1]) throw createRefusedError(ROWS_CHANGED)
  const deleted = await session.query({
    text: `delete from ${target.quoted} t where t.xmin = ${isFromLoad}
             and not exists (select from (${firstVersions}) b where ${keyCondition} and b.${VERSION_XID_COLUMN} <> all($1::text[]::xid[]))`,
    values: [transactions],
  })
  await session.query({ text: 'set local search_path = data' })
  const restored = await session.query({
    text: `update ${target.quoted} t set ${nonKeyColumns.map((name) => `${quoteName(name)} = b.${quoteName(name)}`).join(', ')}
             from (${firstVersions}) b where ${keyCondition} and b.${VERSION_XID_COLUMN} <> all($1::text[]::xid[])`,
    values: [transactions],
  })
  await session.query({ text: 'set local search_path = pg_catalog' })
  return { rows: deleted.rowCount + restored.rowCount, undo: null }
}

export async function resetWriterCursor(session: Session, loadId: string): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.writers w set cursor = r.cursor_before, changed_at = clock_timestamp()
             from ${LOADS_SCHEMA}.receipts r where r.load_id = $1 and w.load_id = r.load_id`,
    values: [loadId],
  })
}

async function readBackupColumns(session: Session, table: string): Promise<string[]> {
  const { rows } = await session.query({
    text: `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    values: [table],
  })
  return rows.flatMap(([name]) => (name && name !== VERSION_ORDER_COLUMN && name !== VERSION_XID_COLUMN ? [name] : []))
}
