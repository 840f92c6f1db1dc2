import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { toDurableTableName, qualifyPlatformTable } from '../own-tables.ts'
import { insertWithDataSearchPath, buildIdentityOverride } from '../insert-rows.ts'
import { type Target, findTarget } from '../target.ts'
import type { ExistingRange, Load } from './load.ts'
import { recordRowTransaction } from './progress.ts'
import { joinNames, quoteTable } from './table-steps.ts'

/** Types without max(): every row is looked up. */
const TYPES_WITHOUT_MAX = ['boolean', 'uuid', 'json', 'jsonb', 'bytea']

/** Maximum of the cursor column before the load; null for an empty table. */
export async function findEdge(
  session: Session,
  { duplicateCheck, table, columns }: Load,
): Promise<ExistingRange | null> {
  if (!duplicateCheck) return null
  const quoted = quoteTable(table)
  const { rows } = await session.query({ text: `select 1 from ${quoted} limit 1` })
  if (rows.length === 0) return null
  const cursor = columns.find(({ name: quotedCursor }) => quotedCursor === duplicateCheck.cursor)
  if (!cursor || TYPES_WITHOUT_MAX.includes(cursor.postgres)) return { to: null }
  const { rows: maximum } = await session.query({ text: `select max(${quoteName(cursor.name)})::text from ${quoted}` })
  return { to: maximum[0]?.[0] ?? null }
}

interface StagedEdge {
  readonly stage: string
  readonly edge: ExistingRange
}

/** Removes staged rows whose key and cursor are in the table. */
export async function excludeExistingRows(
  session: Session,
  load: Load,
  { stage, edge, target }: StagedEdge & { target: Target },
): Promise<number> {
  const { key = [], cursor = null } = load.duplicateCheck ?? {}
  if (key.length === 0 || cursor === null) return 0
  const stagingTable = qualifyPlatformTable(stage)
  const quotedCursor = quoteName(cursor)
  const keyCondition = key.map((column) => `t.${quoteName(column)} = s.${quoteName(column)}`).join(' and ')
  const { below: belowWatermark, values } = buildBelowEdgeCondition(load, edge, 's.')
  const { rowCount } = await session.query({
    text: `delete from ${stagingTable} s using ${target.quoted} t where ${belowWatermark} and t.${quotedCursor} = s.${quotedCursor} and ${keyCondition}`,
    values,
  })
  return (
    rowCount +
    (await deleteRowsWithoutCursor(session, { own: stagingTable, name: quotedCursor, on: keyCondition, target }))
  )
}

async function deleteRowsWithoutCursor(
  session: Session,
  {
    own: stagingTable,
    name: quotedCursor,
    on: keyCondition,
    target,
  }: { own: string; name: string; on: string; target: Target },
): Promise<number> {
  const { rows } = await session.query({ text: `select 1 from ${stagingTable} where ${quotedCursor} is null limit 1` })
  if (rows.length === 0) return 0
  const { rowCount } = await session.query({
    text: `delete from ${stagingTable} s using ${target.quoted} t where s.${quotedCursor} is null and t.${quotedCursor} is null and ${keyCondition}`,
  })
  return rowCount
}

function buildBelowEdgeCondition(
  { duplicateCheck, columns }: Load,
  { to }: ExistingRange,
  alias: string,
): { below: string; values: string[] } {
  const cursor = columns.find(({ name: quotedCursor }) => quotedCursor === duplicateCheck?.cursor)
  if (!cursor || to === null) return { below: 'true', values: [] }
  return { below: `${alias}${quoteName(cursor.name)} <= $1::${cursor.postgres}`, values: [to] }
}

/** Rows without a key are compared as a whole. They wait until all are read, as the number of duplicates matters. */
export async function moveExistingRangeAside(
  session: Session,
  load: Load,
  { stage, edge }: StagedEdge,
): Promise<number> {
  if (!load.duplicateCheck || hasKeyAndCursor(load)) return 0
  const { below: belowWatermark, values } = buildBelowEdgeCondition(load, edge, '')
  const inRange =
    load.duplicateCheck.cursor === null
      ? belowWatermark
      : `(${belowWatermark} or ${quoteName(load.duplicateCheck.cursor)} is null)`
  const columns = load.columns.map(({ name: quotedCursor, postgres }) => `${quoteName(quotedCursor)} ${postgres}`)
  const durableTable = qualifyPlatformTable(toDurableTableName(load.loadId))
  await session.query({ text: `create table if not exists ${durableTable} (${columns.join(', ')})` })
  const columnList = joinNames(load.columns.map(({ name: quotedCursor }) => quotedCursor))
  const { rowCount } = await session.query({
    text: `with moved as (delete from ${qualifyPlatformTable(stage)} where ${inRange} returning ${columnList})
           insert into ${durableTable} (${columnList}) select ${columnList} from moved`,
    values,
  })
  return rowCount
}

const hasKeyAndCursor = ({ duplicateCheck }: Load) =>
  duplicateCheck !== null && duplicateCheck.key.length > 0 && duplicateCheck.cursor !== null

/** Adds as many duplicates as the source has more than the table. */
export async function insertMissingDuplicates(session: Session, load: Load): Promise<void> {
  if (!load.duplicateCheck || hasKeyAndCursor(load)) return
  const durable = qualifyPlatformTable(toDurableTableName(load.loadId))
  const { rows: durableTable } = await session.query({ text: 'select to_regclass($1)', values: [durable] })
  const target = await findTarget(session, load.table)
  if (!durableTable[0]?.[0] || !target) return
  const names = load.columns.map(({ name: quotedCursor }) => quotedCursor)
  const buildRowExpression = (prefix: string) => `row(${joinNames(names, prefix)})::text`
  const rows = await insertWithDataSearchPath(
    session,
    `with old as (select ${buildRowExpression('t.')} as trellis_row, count(*) as trellis_count from ${target.quoted} t
                   where ${await buildSameRange(session, load, durable)} group by 1),
       staged as (select s.*, ${buildRowExpression('s.')} as trellis_row, row_number() over (partition by ${buildRowExpression('s.')}) as trellis_place from ${durable} s)
     insert into ${target.quoted} (${joinNames(names)}) ${buildIdentityOverride(target, names)}
     select ${joinNames(names, 's.')} from staged s left join old on old.trellis_row = s.trellis_row
      where s.trellis_place > coalesce(old.trellis_count, 0)`,
  )
  await recordRowTransaction(session, load.loadId, rows)
  await session.query({
    text: `update ${LOADS_SCHEMA}.receipts set rows = rows + $2::bigint,
             rows_merged = rows_merged + (select count(*) from ${durable}) - $2::bigint where load_id = $1`,
    values: [load.loadId, String(rows)],
  })
  await session.query({ text: `drop table ${durable}` })
}

async function buildSameRange(session: Session, { duplicateCheck }: Load, durableTable: string): Promise<string> {
  if (!duplicateCheck || duplicateCheck.cursor === null) return 'true'
  const quotedCursor = quoteName(duplicateCheck.cursor)
  const { rows } = await session.query({ text: `select 1 from ${durableTable} where ${quotedCursor} is null limit 1` })
  const cursorRange = `t.${quotedCursor} between (select min(${quotedCursor}) from ${durableTable}) and (select max(${quotedCursor}) from ${durableTable})`
  return rows.length === 0 ? cursorRange : `(${cursorRange} or t.${quotedCursor} is null)`
}
