import type { Field } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { DatabaseQuery } from '../database-query.ts'
import { getColumnKind } from '@trellis/connector-kit/postgres-columns'
import { withDeletedAt } from './changes/deleted-at.ts'
import { describeLogged } from './changes/logged-table.ts'
import { assertCanFollow } from './changes/slots.ts'
import { canBeFollowed, quoteName, quoteText } from './column-kinds.ts'
import type { Link } from './link.ts'

export interface TargetColumn {
  readonly name: string
  readonly type: ColumnType
  readonly sqlType: string
  readonly reference: string
}

export interface Target {
  readonly fields: readonly Field[]
  readonly selectList: string
  readonly from: string
  readonly key: readonly TargetColumn[]
  /** What the order of the rows depends on. */
  readonly keyOrder: readonly string[]
  readonly cursor: TargetColumn | null
  readonly filter: string | null
  readonly pages: { readonly relationId: string } | null
  /** The table with its partitions, where locks of writers show; null for a view or a query. */
  readonly relationId: string | null
  readonly columns: readonly Column[]
}

export interface Column extends TargetColumn {
  readonly select: string
  readonly isNullable: boolean
  readonly typeId: number
  readonly collation: string
  readonly convert: ((value: string) => string) | null
}

/** Postgres 14 introduced TID range scans. */
const RANGES_SINCE = 140_000

export async function describeTarget(link: Link, query: DatabaseQuery): Promise<Target> {
  const relation = query.kind === 'table' ? await findRelation(link, query) : undefined
  const describedColumns = await describeColumns(link, query, relation)
  const hasChanges = query.kind === 'table' && query.hasChanges
  if (hasChanges) await assertCanFollow(link)
  const logged = hasChanges ? await describeLogged(link, query) : undefined
  const all = logged ? describedColumns.filter(({ name }) => !logged.generated.includes(name)) : describedColumns
  const key = logged
    ? logged.key.map((name) => getColumn(all, name, 'table'))
    : relation
      ? await findKey(link, relation.id, all)
      : []
  const cursor = query.cursor === null ? null : getCursorColumn(all, query.cursor)
  const columns = chooseColumns(query, all, cursor ? [...key, cursor] : key)
  const target: Target = {
    fields: columns.map(({ name, type, isNullable }) => ({ name, type, isNullable })),
    selectList: columns.map(({ select }) => select).join(', '),
    from: toFromClause(query, all),
    key,
    keyOrder: key.map(({ name, sqlType, collation }) => `${name} ${sqlType} ${collation}`.trim()),
    cursor,
    filter: query.filter,
    pages: relation?.hasPages && key.length === 0 ? { relationId: relation.id } : null,
    relationId: relation?.isStored ? relation.id : null,
    columns,
  }
  await assertFilter(link, target)
  return target
}

function chooseColumns(
  query: DatabaseQuery,
  all: readonly Column[],
  neededColumns: readonly Column[],
): readonly Column[] {
  const wanted = new Set([...query.columns, ...neededColumns.map(({ name }) => name)])
  for (const name of query.columns) getColumn(all, name, 'columns')
  const read = query.columns.length === 0 ? all : all.filter(({ name }) => wanted.has(name))
  return query.kind === 'table' && query.marksDeletes ? withDeletedAt(read) : read
}

function toFromClause(query: DatabaseQuery, columns: readonly Column[]): string {
  if (query.kind === 'table') return `${quoteName(query.schema)}.${quoteName(query.table)} as t`
  // On its own lines, so that a trailing comment does not swallow what follows.
  return `(\n${query.sql}\n) as t (${columns.map(({ name }) => quoteName(name)).join(', ')})`
}

interface Relation {
  readonly id: string
  readonly hasPages: boolean
  readonly isStored: boolean
}

async function findRelation(link: Link, { schema, table }: { schema: string; table: string }): Promise<Relation> {
  const [found] = await link.query(
    `select c.oid, c.relkind, current_setting('server_version_num') from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p', 'v', 'm', 'f')`,
    [schema, table],
  )
  if (!found) {
    throw new ConnectorError('configuration', `There is no table ${schema}.${table}, or it can’t be seen.`, {
      field: 'query.table',
      advice: 'Choose another table, or have the right to use the schema granted.',
    })
  }
  const [id, kind, version] = found
  return {
    id: id ?? '',
    hasPages: (kind === 'r' || kind === 'm') && Number(version) >= RANGES_SINCE,
    isStored: kind === 'r' || kind === 'p',
  }
}

async function describeColumns(link: Link, query: DatabaseQuery, relation?: Relation): Promise<Column[]> {
  const text = query.kind === 'table' ? `table ${quoteName(query.schema)}.${quoteName(query.table)}` : query.sql
  const described = await link.describe(`select * from (\n${text}\n) as t limit 0`)
  const types = await link.query(
    `select t.oid, n.nspname, t.typname, t.typcategory from pg_type t join pg_namespace n on n.oid = t.typnamespace where t.oid = any ($1::oid[])`,
    [described.map(({ typeId }) => typeId)],
  )
  const byId = new Map(types.map(([id, ...rest]) => [Number(id), rest]))
  const attributes = relation ? await listAttributes(link, relation.id) : new Map<string, Attribute>()
  const seen = new Set<string>()
  return described.map(({ name, typeId }) => {
    if (seen.has(name)) throw duplicateColumnError(name)
    seen.add(name)
    const [schema, typeName, category] = byId.get(typeId) ?? []
    const kind = getColumnKind(typeName ?? '', category ?? '')
    const reference = `t.${quoteName(name)}`
    return {
      name,
      type: kind.type,
      sqlType: `${quoteName(schema ?? 'pg_catalog')}.${quoteName(typeName ?? 'text')}`,
      reference,
      select: kind.select(reference),
      isNullable: attributes.get(name)?.isFilled !== true,
      typeId,
      collation: attributes.get(name)?.collation ?? '',
      convert: kind.select(reference) === reference ? null : kind.select,
    }
  })
}

const duplicateColumnError = (name: string) =>
  new ConnectorError('configuration', `The query gives two columns called ${name}.`, {
    field: 'query.sql',
    advice: 'Give one of them another name with AS.',
  })

interface Attribute {
  readonly isFilled: boolean
  readonly collation: string
}

async function listAttributes(link: Link, relationId: string): Promise<ReadonlyMap<string, Attribute>> {
  const rows = await link.query(
    `select a.attname, a.attnotnull, l.collname from pg_attribute a left join pg_collation l on l.oid = a.attcollation
     where a.attrelid = $1::oid and a.attnum > 0 and not a.attisdropped`,
    [relationId],
  )
  return new Map(
    rows.map(([name, isFilled, collation]) => [name ?? '', { isFilled: isFilled === 't', collation: collation ?? '' }]),
  )
}

/** The primary key, or else the shortest unique index without nullable columns. */
async function findKey(link: Link, relationId: string, columns: readonly Column[]): Promise<Column[]> {
  const rows = await link.query(
    `select array_to_json(array_agg(a.attname order by k.place)) from pg_index i
       cross join lateral unnest(i.indkey::int2[]) with ordinality as k (number, place)
       left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
     where i.indrelid = $1::oid and i.indisunique and i.indisvalid and i.indimmediate
       and i.indpred is null and i.indexprs is null and k.place <= i.indnkeyatts
     group by i.indexrelid, i.indisprimary
     having bool_and(coalesce(a.attnotnull, false))
     order by i.indisprimary desc, count(*), i.indexrelid limit 1`,
    [relationId],
  )
  const names = JSON.parse(rows[0]?.[0] ?? '[]') as string[]
  return names.map((name) => getColumn(columns, name, 'table'))
}

function getColumn(columns: readonly Column[], name: string, element: string): Column {
  const foundColumn = columns.find((column) => column.name === name)
  if (foundColumn) return foundColumn
  throw new ConnectorError('configuration', `There is no column called ${name}.`, {
    field: `query.${element}`,
    advice: `There are: ${columns
      .slice(0, 30)
      .map((column) => column.name)
      .join(', ')}.`,
  })
}

function getCursorColumn(columns: readonly Column[], name: string): Column {
  const column = getColumn(columns, name, 'cursor')
  if (canBeFollowed(column.type)) return column
  throw new ConnectorError('configuration', `The column ${name} can’t be a cursor: its values have no order in time.`, {
    field: 'query.cursor',
    advice: 'Choose a number or a date that only grows.',
  })
}

async function assertFilter(link: Link, target: Target): Promise<void> {
  if (target.filter === null) return
  try {
    await link.describe(`select from ${target.from} where (\n${target.filter}\n) limit 0`)
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== 'configuration') throw error
    throw new ConnectorError('configuration', error.message, {
      field: 'query.filter',
      advice: 'Write a condition as in a WHERE clause.',
      cause: error,
    })
  }
}

export function toSelect(target: Target, conditions: readonly string[], end = ''): string {
  const all = [...(target.filter === null ? [] : [`(\n${target.filter}\n)`]), ...conditions]
  const where = all.length > 0 ? `where ${all.join(' and ')}` : ''
  return `select ${target.selectList} from ${target.from} ${where} ${end}`
}

export const toLiteral = (column: TargetColumn, text: string): string => `${quoteText(text)}::${column.sqlType}`
