import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toOwnTableName } from './own-tables.ts'
import type { Receipt, Undo } from './receipts.ts'
import { type Target, getTarget, refusedError } from './target.ts'
import { AT_COLUMN, FROM_COLUMN } from './run/merge.ts'
import { joinNames } from './run/table-steps.ts'

const CHANGED = 'Rows of this load were changed or removed since, so they can not be taken out by themselves any more.'
/** xids wrap around; older rows cannot be identified. */
const FAR = 1_000_000_000
const TOO_LONG_AGO = 'This load is too long ago to be rolled back.'

interface WrittenRows {
  readonly target: Target
  readonly transactions: string
  readonly rows: number
}

async function findWritten(session: Session, load: Receipt): Promise<WrittenRows> {
  const target = await getTarget(session, load)
  await session.query({ text: `lock table ${target.quoted} in share row exclusive mode` })
  const { rows } = await session.query({
    text: `select array_agg(distinct xmin::text), coalesce(sum(rows), 0),
                  coalesce(bool_and(pg_current_xact_id()::text::numeric - transaction::text::numeric < ${FAR}), true)
             from ${LOADS_SCHEMA}.chunks where load_id = $1`,
    values: [load.loadId],
  })
  const [transactions, count, isNear] = rows[0] ?? []
  if (isNear !== 't') throw refusedError(TOO_LONG_AGO)
  return { target, transactions: transactions ?? '{}', rows: Number(count) }
}

/** Older receipts name a single transaction. */
async function findWrittenAtOnce(session: Session, load: Receipt, undo: Undo & { kind: 'rows' }): Promise<WrittenRows> {
  const target = await getTarget(session, load)
  const { rows } = await session.query({
    text: `select pg_current_xact_id()::text::numeric - $1::numeric < ${FAR}, $1::numeric % 4294967296`,
    values: [undo.transaction],
  })
  const [isNear, transaction] = rows[0] ?? []
  if (isNear !== 't') throw refusedError(TOO_LONG_AGO)
  return { target, transactions: `{${transaction}}`, rows: undo.rows }
}

export async function deleteAppendedRows(
  session: Session,
  load: Receipt,
  undo: Undo & { kind: 'rows' | 'chunks' },
): Promise<{ rows: number; undo: null }> {
  const { target, transactions, rows } =
    undo.kind === 'rows' ? await findWrittenAtOnce(session, load, undo) : await findWritten(session, load)
  const { rowCount } = await session.query({
    text: `delete from ${target.quoted} where xmin = any($1::text[]::xid[])`,
    values: [transactions],
  })
  if (rowCount !== rows) throw refusedError(CHANGED)
  return { rows: rowCount, undo: null }
}

/** Deletes inserted rows and restores the first previous version of updated ones. */
export async function revertMerge(
  session: Session,
  load: Receipt,
  { kept, key }: Undo & { kind: 'merge' },
): Promise<{ rows: number; undo: null }> {
  const { target, transactions } = await findWritten(session, load)
  const own = toOwnTableName(kept)
  const { rows: counts } = await session.query({
    text: `select count(*), (select rows_updated from ${LOADS_SCHEMA}.receipts where load_id = $1) from ${own}`,
    values: [load.loadId],
  })
  // A crash emptied the unlogged table.
  if (counts[0]?.[0] !== counts[0]?.[1]) throw refusedError('What the rows held before is not kept any more.')
  const columns = await readColumns(session, own)
  const others = columns.filter((name) => !key.includes(name))
  const on = key.map((name) => `t.${quoteName(name)} = b.${quoteName(name)}`).join(' and ')
  const isOwn = 'any($1::text[]::xid[])'
  const before = `select distinct on (${joinNames(key)}) * from ${own} order by ${joinNames(key)}, ${AT_COLUMN}`
  const { rows: touched } = await session.query({
    text: `select count(*), count(*) filter (where t.xmin = ${isOwn}) from (${before}) b left join ${target.quoted} t on ${on}`,
    values: [transactions],
  })
  if (touched[0]?.[0] !== touched[0]?.[1]) throw refusedError(CHANGED)
  const removedResult = await session.query({
    text: `delete from ${target.quoted} t where t.xmin = ${isOwn}
             and not exists (select from (${before}) b where ${on} and b.${FROM_COLUMN} <> all($1::text[]::xid[]))`,
    values: [transactions],
  })
  await session.query({ text: 'set local search_path = data' })
  const restoredResult = await session.query({
    text: `update ${target.quoted} t set ${others.map((name) => `${quoteName(name)} = b.${quoteName(name)}`).join(', ')}
             from (${before}) b where ${on} and b.${FROM_COLUMN} <> all($1::text[]::xid[])`,
    values: [transactions],
  })
  await session.query({ text: 'set local search_path = pg_catalog' })
  return { rows: removedResult.rowCount + restoredResult.rowCount, undo: null }
}

export async function setCursorBack(session: Session, loadId: string): Promise<void> {
  await session.query({
    text: `update ${LOADS_SCHEMA}.writers w set cursor = r.cursor_before, changed_at = clock_timestamp()
             from ${LOADS_SCHEMA}.receipts r where r.load_id = $1 and w.load_id = r.load_id`,
    values: [loadId],
  })
}

async function readColumns(session: Session, table: string): Promise<string[]> {
  const { rows } = await session.query({
    text: `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
    values: [table],
  })
  return rows.flatMap(([name]) => (name && name !== AT_COLUMN && name !== FROM_COLUMN ? [name] : []))
}
