import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { type Target, findTarget } from '../../target.ts'
import type { Load } from '../load.ts'
import type { KeyReader } from './key-reader.ts'
import { type KeySum, NO_KEYS, UNKNOWN_KEYS, addKeySums } from './key-sum.ts'

const RECEIPTS = `${LOADS_SCHEMA}.receipts`

export async function sumTableKeys(
  session: Session,
  { table, reader, where = 'true' }: { table: string; reader: KeyReader; where?: string },
): Promise<KeySum> {
  const { rows } = await session.query({
    text: `select count(*), coalesce(sum(${reader.buildSqlHash('t.')}), 0) from ${table} t where ${where}`,
  })
  const [count, hash] = rows[0] ?? []
  return { hash: BigInt(hash ?? 0), rows: Number(count), unknown: 0 }
}

/** The block behind the last; undefined for a partitioned table. */
export async function findEndBlock(session: Session, target: Target | undefined): Promise<number | undefined> {
  if (!target || target.isPartitioned) return undefined
  const { rows } = await session.query({
    text: `select pg_relation_size($1::oid) / current_setting('block_size')::int`,
    values: [target.oid],
  })
  return Number(rows[0]?.[0])
}

/** COPY extends a table by up to this many pages; those it leaves empty are filled by the next one. */
const MAX_EXTENDED_PAGES = 64

export interface AddedKeys {
  readonly xid: string | null
  readonly rows: number
  readonly sourceKeys: KeySum | null
}

/**
 * Keys of rows just inserted with xmin `mark`. Rows placed in free space earlier are skipped, since finding them needs
 * a full scan.
 */
export async function sumAddedKeys(
  session: Session,
  { target, reader, ...added }: AddedKeys & { target: Target; reader: KeyReader; endBlock: number },
): Promise<KeySum> {
  const { endBlock, xid, rows, sourceKeys } = added
  if (xid === null || rows === 0) return NO_KEYS
  const table = target.quoted
  const isFromTransaction = `t.xmin = '${Number(xid)}'`
  const [firstCandidate, firstNewBlock] = [`'(${Math.max(0, endBlock - MAX_EXTENDED_PAGES)},0)'`, `'(${endBlock},0)'`]
  const keysInOldPages = await sumTableKeys(session, {
    table,
    reader,
    where: `t.ctid >= ${firstCandidate} and t.ctid < ${firstNewBlock} and ${isFromTransaction}`,
  })
  // Filtering by xmin costs as much as hashing, so only if counts differ.
  const keysAtEnd = addKeySums(
    keysInOldPages,
    await sumTableKeys(session, { table, reader, where: `t.ctid >= ${firstNewBlock}` }),
  )
  if (keysAtEnd.rows === rows && keysAtEnd.hash === sourceKeys?.hash) return keysAtEnd
  const transactionKeys = await sumTableKeys(session, {
    table,
    reader,
    where: `t.ctid >= ${firstCandidate} and ${isFromTransaction}`,
  })
  return transactionKeys.rows === rows ? transactionKeys : UNKNOWN_KEYS
}

/** Full scan at the end, if rows were placed elsewhere. Rows updated since leave it unknown. */
export async function finishKeyReceipt(session: Session, load: Load, reader: KeyReader): Promise<void> {
  const { rows } = await session.query({
    text: `select rows from ${RECEIPTS} where load_id = $1 and source_hash <> 'NaN' and target_hash = 'NaN'`,
    values: [load.loadId],
  })
  const [rowsWritten] = rows[0] ?? []
  const target = await findTarget(session, load.table)
  if (!rowsWritten || !target || target.isPartitioned) return
  const where = `t.xmin in (select c.xmin from ${LOADS_SCHEMA}.chunks c where c.load_id = '${load.loadId}')`
  const keys = await sumTableKeys(session, { table: target.quoted, reader, where })
  if (keys.rows === Number(rowsWritten)) await setTargetKeys(session, load.loadId, keys)
}

export async function setTargetKeys(session: Session, loadId: string, { hash }: KeySum): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set target_hash = $2::numeric where load_id = $1`,
    values: [loadId, String(hash)],
  })
}
