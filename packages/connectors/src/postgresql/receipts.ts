import { quoteName } from '../shared/postgres/column-kinds.ts'
import type { Link } from '../shared/postgres/link.ts'
import { RECEIPTS_TABLE, RECEIPT_DAYS, type TableTarget } from '../shared/table-target.ts'
import type { Load } from './load.ts'

const WHOLE = 0

const toReceiptsTable = ({ schema }: TableTarget) => `${quoteName(schema)}.${quoteName(RECEIPTS_TABLE)}`

/** A receipt commits with its rows: a batch that has one was written exactly once. */
export async function createReceipts(link: Link, target: TableTarget): Promise<void> {
  const [there] = await link.query('select to_regclass($1)', [toReceiptsTable(target)])
  if (there?.[0]) return
  await link.query(
    `create table if not exists ${toReceiptsTable(target)} (
       load_id text not null, table_name text not null, batch integer not null, rows bigint not null,
       at timestamptz not null default now(), primary key (load_id, table_name, batch))`,
  )
}

export async function writeReceipt(link: Link, load: Load, { batch, rows }: { batch: number; rows: number }) {
  await link.query(
    `insert into ${toReceiptsTable(load.target)} (load_id, table_name, batch, rows) values ($1, $2, $3, $4)`,
    [load.loadId, load.target.table, batch, rows],
  )
}

export async function countReceipts(link: Link, load: Load): Promise<{ batches: number; rows: number }> {
  const [found] = await link.query(
    `select count(*), coalesce(sum(rows), 0) from ${toReceiptsTable(load.target)} where load_id = $1 and table_name = $2 and batch > ${WHOLE}`,
    [load.loadId, load.target.table],
  )
  return { batches: Number(found?.[0]), rows: Number(found?.[1]) }
}

export async function findFinished(link: Link, load: Load): Promise<number | undefined> {
  const [found] = await link.query(
    `select rows from ${toReceiptsTable(load.target)} where load_id = $1 and table_name = $2 and batch = ${WHOLE}`,
    [load.loadId, load.target.table],
  )
  return found ? Number(found[0]) : undefined
}

export async function writeFinished(link: Link, load: Load): Promise<number> {
  const { rows } = await countReceipts(link, load)
  await writeReceipt(link, load, { batch: WHOLE, rows })
  await link.query(`delete from ${toReceiptsTable(load.target)} where at < now() - interval '${RECEIPT_DAYS} days'`)
  return rows
}

export async function dropReceipts(link: Link, load: Load): Promise<void> {
  await link.query(`delete from ${toReceiptsTable(load.target)} where load_id = $1 and table_name = $2`, [
    load.loadId,
    load.target.table,
  ])
}
