import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { type Target, findTarget } from '../../target.ts'
import type { Load } from '../load.ts'
import type { KeyReader } from './key-reader.ts'
import { type KeySum, NO_KEYS, UNKNOWN_KEYS, addKeySums } from './key-sum.ts'

const RECEIPTS = `${LOADS_SCHEMA}.receipts`

export async function sumKeysIn(
  session: Session,
  { table, reader, where = 'true' }: { table: string; reader: KeyReader; where?: string },
): Promise<KeySum> {
  const { rows } = await session.query({
    text: `select count(*), coalesce(sum(${reader.inSql('t.')}), 0) from ${table} t where ${where}`,
  })
  const [count, hash] = rows[0] ?? []
  return { hash: BigInt(hash ?? 0), rows: Number(count), unknown: 0 }
}

/** The block behind the last; undefined for a partitioned table. */
export async function findEnd(session: Session, target: Target | undefined): Promise<number | undefined> {
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
  readonly mark: string | null
  readonly rows: number
  readonly given: KeySum | null
}

/**
 * Keys of rows just inserted with xmin `mark`. Rows placed in free space earlier are skipped, since finding them needs
 * a full scan.
 */
export async function sumAddedKeys(
  session: Session,
  { target, reader, ...added }: AddedKeys & { target: Target; reader: KeyReader; end: number },
): Promise<KeySum> {
  const { end, mark, rows, given } = added
  if (mark === null || rows === 0) return NO_KEYS
  const table = target.quoted
  const isOwn = `t.xmin = '${Number(mark)}'`
  const [last, next] = [`'(${Math.max(0, end - MAX_EXTENDED_PAGES)},0)'`, `'(${end},0)'`]
  const begun = await sumKeysIn(session, {
    table,
    reader,
    where: `t.ctid >= ${last} and t.ctid < ${next} and ${isOwn}`,
  })
  // Filtering by xmin costs as much as hashing, so only if counts differ.
  const all = addKeySums(begun, await sumKeysIn(session, { table, reader, where: `t.ctid >= ${next}` }))
  if (all.rows === rows && all.hash === given?.hash) return all
  const ownKeySum = await sumKeysIn(session, { table, reader, where: `t.ctid >= ${last} and ${isOwn}` })
  return ownKeySum.rows === rows ? ownKeySum : UNKNOWN_KEYS
}

/** Full scan at the end, if rows were placed elsewhere. Rows updated since leave it unknown. */
export async function finishKeyReceipt(session: Session, load: Load, reader: KeyReader): Promise<void> {
  const { rows } = await session.query({
    text: `select rows from ${RECEIPTS} where load_id = $1 and source_hash <> 'NaN' and target_hash = 'NaN'`,
    values: [load.loadId],
  })
  const [written] = rows[0] ?? []
  const target = await findTarget(session, load.table)
  if (!written || !target || target.isPartitioned) return
  const where = `t.xmin in (select c.xmin from ${LOADS_SCHEMA}.chunks c where c.load_id = '${load.loadId}')`
  const keys = await sumKeysIn(session, { table: target.quoted, reader, where })
  if (keys.rows === Number(written)) await setTargetKeys(session, load.loadId, keys)
}

export async function setTargetKeys(session: Session, loadId: string, { hash }: KeySum): Promise<void> {
  await session.query({
    text: `update ${RECEIPTS} set target_hash = $2::numeric where load_id = $1`,
    values: [loadId, String(hash)],
  })
}
