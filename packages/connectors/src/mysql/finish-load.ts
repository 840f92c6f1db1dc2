import { quoteName, quoteText } from './column-kinds.ts'
import type { Link } from './link.ts'
import {
  type Load,
  ORDER_COLUMN,
  toColumnDefinition,
  hasStage,
  listMissingColumns,
  toTableName,
  getPrimaryKey,
} from './load.ts'
import { findMark, writeMark } from './receipts.ts'

const joinNames = (names: readonly string[], prefix = '') => names.map((name) => prefix + quoteName(name)).join(', ')
const listNames = ({ fields }: Load) => fields.map(({ name }) => name)

/** Rows and receipt commit together. DDL commits implicitly in MySQL, so it runs before and after. */
export async function finishLoad(link: Link, load: Load): Promise<number> {
  if (load.strategy === 'Replace' && (await canBeSwapped(link, load))) return await swap(link, load)
  await prepareTarget(link, load)
  await link.query('start transaction')
  let rows: number
  try {
    if (load.strategy === 'Replace') await link.query(`delete from ${toTableName(load, 'target')}`)
    if (load.strategy === 'Upsert') await upsert(link, load)
    else await insertAll(link, load)
    rows = await writeMark(link, load, 'finished')
    await link.query('commit')
  } catch (error) {
    await link.query('rollback').catch(() => undefined)
    throw error
  }
  await link.query(`drop table if exists ${toTableName(load, 'stage')}`)
  return rows
}

async function prepareTarget(link: Link, load: Load): Promise<void> {
  const target = toTableName(load, 'target')
  if (!load.existing) {
    const key = load.strategy === 'Upsert' ? getPrimaryKey(load) : []
    const columns = [...load.fields.map((field) => toColumnDefinition(load, field)), ...key]
    await link.query(
      `create table if not exists ${target} (${columns.join(', ')}) engine = InnoDB character set utf8mb4`,
    )
    return
  }
  const added = listMissingColumns(load).map((column) => `add ${column}`)
  if (added.length > 0) await link.query(`alter table ${target} ${added.join(', ')}`)
}

async function insertAll(link: Link, load: Load): Promise<void> {
  const columns = joinNames(listNames(load))
  await link.query(
    `insert into ${toTableName(load, 'target')} (${columns}) select ${columns} from ${toTableName(load, 'stage')}`,
  )
}

/** Needs no unique index on the key, and keeps columns that the load does not have. */
async function upsert(link: Link, load: Load): Promise<void> {
  const { key } = load
  const [target, stage] = [toTableName(load, 'target'), toTableName(load, 'stage')]
  const names = listNames(load)
  const others = names.filter((name) => !key.includes(name))
  const same = key.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(' and ')
  const latest = `(select max(${ORDER_COLUMN}) as latest from ${stage} group by ${joinNames(key)}) l`
  const fresh = `${stage} s join ${latest} on l.latest = s.${ORDER_COLUMN}`
  if (others.length > 0) {
    const changes = others.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(', ')
    await link.query(`update ${target} t join (select s.* from ${fresh}) s on ${same} set ${changes}`)
  }
  await link.query(`insert into ${target} (${joinNames(names)}) select ${joinNames(names, 's.')} from ${fresh}
    where not exists (select 1 from ${target} t where ${same})`)
}

/** Triggers stay with the old table, and foreign keys follow it. */
async function canBeSwapped(link: Link, load: Load): Promise<boolean> {
  const { schema, table } = load.target
  const { rows } = await link.query(`
    select (select count(*) from information_schema.triggers
        where event_object_schema = ${quoteText(schema)} and event_object_table = ${quoteText(table)})
      + (select count(*) from information_schema.key_column_usage where referenced_table_name is not null and
        ((table_schema = ${quoteText(schema)} and table_name = ${quoteText(table)})
        or (referenced_table_schema = ${quoteText(schema)} and referenced_table_name = ${quoteText(table)})))`)
  return Number(rows[0]?.[0]) === 0
}

/** RENAME TABLE is atomic. If a process dies after announcing it and the staging table is gone, the rename happened. */
async function swap(link: Link, load: Load): Promise<number> {
  if ((await findMark(link, load, 'swapping')) === undefined) await writeMark(link, load, 'swapping')
  if (await hasStage(link, load)) {
    const stage = `${toTableName(load, 'stage')} to ${toTableName(load, 'target')}`
    await link.query(
      `rename table ${load.existing ? `${toTableName(load, 'target')} to ${toTableName(load, 'old')}, ` : ''}${stage}`,
    )
  }
  const rows = await writeMark(link, load, 'finished')
  await link.query(`drop table if exists ${toTableName(load, 'old')}`)
  return rows
}
