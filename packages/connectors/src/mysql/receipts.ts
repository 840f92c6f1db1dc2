import { RECEIPTS_TABLE, RECEIPT_DAYS, type TableTarget } from '../shared/table-target.ts'
import { quoteName, quoteText } from './column-kinds.ts'
import type { Link } from './link.ts'
import type { Load } from './load.ts'

/** Batch numbers reserved for the load as a whole. A rename cannot commit with a receipt, so it is announced before. */
const MARKS = { finished: 0, swapping: -1 } as const
type Mark = keyof typeof MARKS

const toReceiptsTable = ({ schema }: TableTarget) => `${quoteName(schema)}.${quoteName(RECEIPTS_TABLE)}`
const loadCondition = ({ loadId, target }: Load) =>
  `load_id = ${quoteText(loadId)} and table_name = ${quoteText(target.table)}`

/** A receipt commits with its rows: a batch that has one was written exactly once. */
export async function createReceipts(link: Link, target: TableTarget): Promise<void> {
  await link.query(
    `create table if not exists ${toReceiptsTable(target)} (
       load_id varchar(200) not null, table_name varchar(64) not null, batch int not null, row_count bigint not null,
       at timestamp not null default current_timestamp, primary key (load_id, table_name, batch)
     ) engine = InnoDB character set utf8mb4 collate utf8mb4_bin`,
  )
}

export async function writeReceipt(link: Link, load: Load, { batch, rows }: { batch: number; rows: number }) {
  await link.query(
    `insert into ${toReceiptsTable(load.target)} (load_id, table_name, batch, row_count)
     values (${quoteText(load.loadId)}, ${quoteText(load.target.table)}, ${batch}, ${rows})`,
  )
}

export async function countReceipts(link: Link, load: Load): Promise<{ batches: number; rows: number }> {
  const { rows } = await link.query(
    `select count(*), coalesce(sum(row_count), 0) from ${toReceiptsTable(load.target)} where ${loadCondition(load)} and batch > 0`,
  )
  return { batches: Number(rows[0]?.[0]), rows: Number(rows[0]?.[1]) }
}

export async function findMark(link: Link, load: Load, mark: Mark): Promise<number | undefined> {
  const { rows } = await link.query(
    `select row_count from ${toReceiptsTable(load.target)} where ${loadCondition(load)} and batch = ${MARKS[mark]}`,
  )
  return rows[0] ? Number(rows[0][0]) : undefined
}

export async function writeMark(link: Link, load: Load, mark: Mark): Promise<number> {
  const { rows } = await countReceipts(link, load)
  await writeReceipt(link, load, { batch: MARKS[mark], rows })
  await link.query(`delete from ${toReceiptsTable(load.target)} where at < now() - interval ${RECEIPT_DAYS} day`)
  return rows
}

export async function dropReceipts(link: Link, load: Load): Promise<void> {
  await link.query(`delete from ${toReceiptsTable(load.target)} where ${loadCondition(load)}`)
}
