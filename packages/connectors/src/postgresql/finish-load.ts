import { quoteName } from '../shared/postgres/column-kinds.ts'
import type { Link } from '../shared/postgres/link.ts'
import { stagingTableName } from '../shared/table-target.ts'
import { type Load, ORDER_COLUMN, listMissingColumns, toTableName, getPrimaryKey, toPostgresType } from './load.ts'
import { writeFinished } from './receipts.ts'

export async function finishLoad(link: Link, load: Load): Promise<number> {
  await link.query('begin')
  try {
    await FINISH[load.strategy](link, load)
    const rows = await writeFinished(link, load)
    await link.query('commit')
    return rows
  } catch (error) {
    await link.query('rollback').catch(() => undefined)
    throw error
  }
}

const FINISH: Record<Load['strategy'], (link: Link, load: Load) => Promise<void>> = {
  Append: async (link, load) => {
    await prepareTarget(link, load)
    await insertAll(link, load)
    await dropStage(link, load)
  },
  Upsert: async (link, load) => {
    await prepareTarget(link, load)
    await upsert(link, load)
    await dropStage(link, load)
  },
  Replace: async (link, load) => {
    if (!load.existing) return renameStageToTarget(link, load)
    if (await canBeSwapped(link, load)) {
      await link.query('savepoint swap')
      const isSwapped = await swap(link, load).catch(async (error: unknown) => {
        if (!isNeeded(error)) throw error
        await link.query('rollback to savepoint swap')
        return false
      })
      if (isSwapped) return
    }
    await prepareTarget(link, load)
    await link.query(`truncate ${toTableName(load, 'target')}`)
    await insertAll(link, load)
    await dropStage(link, load)
  },
}

const joinNames = (names: readonly string[], prefix = '') => names.map((name) => prefix + quoteName(name)).join(', ')
const listNames = ({ fields }: Load) => fields.map(({ name }) => name)

async function prepareTarget(link: Link, load: Load): Promise<void> {
  const target = toTableName(load, 'target')
  if (!load.existing) {
    const columns = load.fields.map((field) => `${quoteName(field.name)} ${toPostgresType(field)}`)
    const key = load.strategy === 'Upsert' ? getPrimaryKey(load) : []
    await link.query(`create table if not exists ${target} (${[...columns, ...key].join(', ')})`)
    return
  }
  for (const column of listMissingColumns(load))
    await link.query(`alter table ${target} add column if not exists ${column}`)
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
  const target = toTableName(load, 'target')
  const names = listNames(load)
  const others = names.filter((name) => !key.includes(name))
  const same = key.map((name) => `t.${quoteName(name)} = s.${quoteName(name)}`).join(' and ')
  // A concurrent writer could insert the same key between the check and the insert.
  await link.query(`lock table ${target} in share row exclusive mode`)
  const latest = `latest as materialized (
    select distinct on (${joinNames(key)}) ${joinNames(names)} from ${toTableName(load, 'stage')} order by ${joinNames(key)}, ${ORDER_COLUMN} desc)`
  const changes = others.map((name) => `${quoteName(name)} = s.${quoteName(name)}`).join(', ')
  const changed = `, changed as (update ${target} t set ${changes} from latest s where ${same})`
  await link.query(`with ${latest}${others.length > 0 ? changed : ''}
    insert into ${target} (${joinNames(names)}) select ${joinNames(names, 's.')} from latest s
    where not exists (select from ${target} t where ${same})`)
}

async function dropStage(link: Link, load: Load): Promise<void> {
  await link.query(`drop table ${toTableName(load, 'stage')}`)
}

async function renameStageToTarget(link: Link, load: Load): Promise<void> {
  await link.query(`alter table ${toTableName(load, 'stage')} rename to ${quoteName(load.target.table)}`)
}

/** Views and foreign keys depend on a table's oid; such a table is truncated and refilled instead. */
async function canBeSwapped(link: Link, { existing }: Load): Promise<boolean> {
  const [found] = await link.query(
    `select c.relkind = 'r' and not c.relispartition and pg_get_userbyid(c.relowner) = current_user
       and not exists (select from pg_trigger where tgrelid = c.oid and not tgisinternal)
       and not exists (select from pg_policy where polrelid = c.oid)
       and not exists (select from pg_constraint where contype = 'f' and c.oid in (conrelid, confrelid))
       and not exists (select from pg_publication_rel where prrelid = c.oid)
     from pg_class c where c.oid = $1::oid`,
    [existing?.id],
  )
  return found?.[0] === 't'
}

async function swap(link: Link, load: Load): Promise<boolean> {
  const old = quoteName(stagingTableName(load.target, load.loadId).replace('load', 'old'))
  const grants = await link.query(
    `select case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end, a.privilege_type, a.is_grantable
     from pg_class c cross join aclexplode(c.relacl) a where c.oid = $1::oid and a.grantee <> c.relowner`,
    [load.existing?.id],
  )
  await link.query(`alter table ${toTableName(load, 'target')} rename to ${old}`)
  await renameStageToTarget(link, load)
  for (const [grantee, right, isGrantable] of grants) {
    const option = isGrantable === 't' ? ' with grant option' : ''
    await link.query(`grant ${right} on ${toTableName(load, 'target')} to ${grantee}${option}`)
  }
  await link.query(`drop table ${quoteName(load.target.schema)}.${old}`)
  return true
}

function isNeeded(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string } }
  return cause?.code === '2BP01'
}
