import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { durableTableName, toOwnTableName } from '../own-tables.ts'
import { insertAsUsual, overrideIdentity } from '../insert-rows.ts'
import { type Target, findTarget } from '../target.ts'
import type { Edge, Load } from './load.ts'
import { markRows } from './progress.ts'
import { joinNames, quotedTable } from './table-steps.ts'

/** Types without max(): every row is looked up. */
const WITHOUT_ORDER = ['boolean', 'uuid', 'json', 'jsonb', 'bytea']

/** Maximum of the cursor column before the load; null for an empty table. */
export async function findEdge(session: Session, { again, table, columns }: Load): Promise<Edge | null> {
  if (!again) return null
  const quoted = quotedTable(table)
  const { rows } = await session.query({ text: `select 1 from ${quoted} limit 1` })
  if (rows.length === 0) return null
  const cursor = columns.find(({ name }) => name === again.cursor)
  if (!cursor || WITHOUT_ORDER.includes(cursor.postgres)) return { to: null }
  const { rows: most } = await session.query({ text: `select max(${quoteName(cursor.name)})::text from ${quoted}` })
  return { to: most[0]?.[0] ?? null }
}

interface StagedEdge {
  readonly stage: string
  readonly edge: Edge
}

/** Removes staged rows whose key and cursor are in the table. */
export async function excludeExistingRows(
  session: Session,
  load: Load,
  { stage, edge, target }: StagedEdge & { target: Target },
): Promise<number> {
  const { key = [], cursor = null } = load.again ?? {}
  if (key.length === 0 || cursor === null) return 0
  const own = toOwnTableName(stage)
  const name = quoteName(cursor)
  const on = key.map((column) => `t.${quoteName(column)} = s.${quoteName(column)}`).join(' and ')
  const { below, values } = buildBelowEdgeCondition(load, edge, 's.')
  const { rowCount } = await session.query({
    text: `delete from ${own} s using ${target.quoted} t where ${below} and t.${name} = s.${name} and ${on}`,
    values,
  })
  return rowCount + (await leaveOutWithout(session, { own, name, on, target }))
}

async function leaveOutWithout(
  session: Session,
  { own, name, on, target }: { own: string; name: string; on: string; target: Target },
): Promise<number> {
  const { rows } = await session.query({ text: `select 1 from ${own} where ${name} is null limit 1` })
  if (rows.length === 0) return 0
  const { rowCount } = await session.query({
    text: `delete from ${own} s using ${target.quoted} t where s.${name} is null and t.${name} is null and ${on}`,
  })
  return rowCount
}

function buildBelowEdgeCondition(
  { again, columns }: Load,
  { to }: Edge,
  of: string,
): { below: string; values: string[] } {
  const cursor = columns.find(({ name }) => name === again?.cursor)
  if (!cursor || to === null) return { below: 'true', values: [] }
  return { below: `${of}${quoteName(cursor.name)} <= $1::${cursor.postgres}`, values: [to] }
}

/** Rows without a key are compared as a whole. They wait until all are read, as the number of duplicates matters. */
export async function putEdgeAside(session: Session, load: Load, { stage, edge }: StagedEdge): Promise<number> {
  if (!load.again || hasKeyAndCursor(load)) return 0
  const { below, values } = buildBelowEdgeCondition(load, edge, '')
  const isEdge = load.again.cursor === null ? below : `(${below} or ${quoteName(load.again.cursor)} is null)`
  const columns = load.columns.map(({ name, postgres }) => `${quoteName(name)} ${postgres}`)
  const durable = toOwnTableName(durableTableName(load.loadId))
  await session.query({ text: `create table if not exists ${durable} (${columns.join(', ')})` })
  const list = joinNames(load.columns.map(({ name }) => name))
  const { rowCount } = await session.query({
    text: `with moved as (delete from ${toOwnTableName(stage)} where ${isEdge} returning ${list})
           insert into ${durable} (${list}) select ${list} from moved`,
    values,
  })
  return rowCount
}

const hasKeyAndCursor = ({ again }: Load) => again !== null && again.key.length > 0 && again.cursor !== null

/** Adds as many duplicates as the source has more than the table. */
export async function insertMissingDuplicates(session: Session, load: Load): Promise<void> {
  if (!load.again || hasKeyAndCursor(load)) return
  const durable = toOwnTableName(durableTableName(load.loadId))
  const { rows: there } = await session.query({ text: 'select to_regclass($1)', values: [durable] })
  const target = await findTarget(session, load.table)
  if (!there[0]?.[0] || !target) return
  const names = load.columns.map(({ name }) => name)
  const whole = (of: string) => `row(${joinNames(names, of)})::text`
  const rows = await insertAsUsual(
    session,
    `with old as (select ${whole('t.')} as trellis_row, count(*) as trellis_count from ${target.quoted} t
                   where ${await buildSameRange(session, load, durable)} group by 1),
       staged as (select s.*, ${whole('s.')} as trellis_row, row_number() over (partition by ${whole('s.')}) as trellis_place from ${durable} s)
     insert into ${target.quoted} (${joinNames(names)}) ${overrideIdentity(target, names)}
     select ${joinNames(names, 's.')} from staged s left join old on old.trellis_row = s.trellis_row
      where s.trellis_place > coalesce(old.trellis_count, 0)`,
  )
  await markRows(session, load.loadId, rows)
  await session.query({
    text: `update ${LOADS_SCHEMA}.receipts set rows = rows + $2::bigint,
             rows_merged = rows_merged + (select count(*) from ${durable}) - $2::bigint where load_id = $1`,
    values: [load.loadId, String(rows)],
  })
  await session.query({ text: `drop table ${durable}` })
}

async function buildSameRange(session: Session, { again }: Load, durable: string): Promise<string> {
  if (!again || again.cursor === null) return 'true'
  const name = quoteName(again.cursor)
  const { rows } = await session.query({ text: `select 1 from ${durable} where ${name} is null limit 1` })
  const stretch = `t.${name} between (select min(${name}) from ${durable}) and (select max(${name}) from ${durable})`
  return rows.length === 0 ? stretch : `(${stretch} or t.${name} is null)`
}
