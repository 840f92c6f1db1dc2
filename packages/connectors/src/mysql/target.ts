import type { Field, Value } from '@trellis/connector-kit/batch'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { DatabaseQuery } from '../shared/database-query.ts'
import { type SourceColumn, canBeFollowed, getColumnKind, quoteName, quoteText } from './column-kinds.ts'
import type { Cell, Link } from './link.ts'

export interface Target {
  readonly fields: readonly Field[]
  readonly selectList: string
  readonly from: string
  readonly key: readonly SourceColumn[]
  /** What the order of the rows depends on; null if the values of the key can't tell a place in it. */
  readonly keyOrder: readonly string[] | null
  readonly cursor: SourceColumn | null
  readonly filter: string | null
  readonly conversions: readonly { readonly at: number; readonly convert: (cell: Cell) => Value }[]
}

export async function describeTarget(link: Link, query: DatabaseQuery): Promise<Target> {
  const from =
    query.kind === 'table' ? `${quoteName(query.schema)}.${quoteName(query.table)} as t` : `(\n${query.sql}\n) as t`
  const packets = await link.describe(`select * from ${from}`)
  const all = packets.map((packet) => ({ name: packet.name, ...getColumnKind(packet) }))
  const find = (name: string, element: string) => {
    const found = all.find((column) => column.name === name)
    if (found) return found
    throw new ConnectorError('configuration', `There is no column called ${name}.`, {
      field: `query.${element}`,
      advice: `There are: ${all
        .slice(0, 30)
        .map((column) => column.name)
        .join(', ')}.`,
    })
  }
  const key = query.kind === 'table' ? (await findKey(link, query)).map((name) => find(name, 'table')) : []
  const cursor = query.cursor === null ? null : find(query.cursor, 'cursor')
  if (cursor && !canBeFollowed(cursor)) {
    throw new ConnectorError(
      'configuration',
      `The column ${cursor.name} can’t be a cursor: its values have no order in time.`,
      {
        field: 'query.cursor',
        advice: 'Choose a number or a date that only grows.',
      },
    )
  }
  const wanted = new Set([...query.columns.map((name) => find(name, 'columns')), ...key, ...(cursor ? [cursor] : [])])
  const columns = query.columns.length === 0 ? all : all.filter((column) => wanted.has(column))
  const target: Target = {
    fields: columns.map(({ name, type, isNullable }) => ({ name, type, isNullable })),
    selectList: columns.map(({ name, select }) => `${select(`t.${quoteName(name)}`)} as ${quoteName(name)}`).join(', '),
    from,
    key,
    keyOrder: query.kind === 'table' ? await describeKeyOrder(link, query, key) : [],
    cursor,
    filter: query.filter,
    conversions: columns.flatMap(({ convert }, at) => (convert ? [{ at, convert }] : [])),
  }
  await assertFilter(link, target)
  return target
}

/** The primary key, or else the shortest unique index without nullable columns. */
async function findKey(link: Link, { schema, table }: { schema: string; table: string }): Promise<string[]> {
  const { rows } = await link.query(`
    select index_name, column_name, nullable, sub_part from information_schema.statistics
    where table_schema = ${quoteText(schema)} and table_name = ${quoteText(table)} and non_unique = 0
    order by index_name = 'PRIMARY' desc, index_name, seq_in_index`)
  const indexes = new Map<string, { names: string[]; isWhole: boolean }>()
  for (const [index, column, nullable, part] of rows) {
    const known = indexes.get(String(index)) ?? { names: [], isWhole: true }
    indexes.set(String(index), known)
    known.names.push(String(column))
    if (nullable === 'YES' || part !== null || column === null) known.isWhole = false
  }
  const usable = [...indexes].filter(([, { isWhole }]) => isWhole)
  const primary = usable.find(([index]) => index === 'PRIMARY')
  const [, shortest] = primary ?? usable.toSorted(([, a], [, b]) => a.names.length - b.names.length)[0] ?? []
  return shortest?.names ?? []
}

/** ENUM and SET are ordered by number but compared as text; FLOAT is not equal to its text. */
const UNSEEKABLE_TYPES = ['enum', 'set', 'float']

async function describeKeyOrder(
  link: Link,
  { schema, table }: { schema: string; table: string },
  key: readonly SourceColumn[],
): Promise<readonly string[] | null> {
  const { rows } = await link.query(`
    select column_name, data_type, collation_name from information_schema.columns
    where table_schema = ${quoteText(schema)} and table_name = ${quoteText(table)}`)
  const columns = new Map(rows.map(([name, ...rest]) => [String(name), rest]))
  const isUnseekable = ({ name }: SourceColumn) =>
    UNSEEKABLE_TYPES.includes(String(columns.get(name)?.[0]).toLowerCase())
  if (key.some(isUnseekable)) return null
  return key.map(({ name, type }) => `${name} ${type} ${String(columns.get(name)?.[1] ?? '')}`.trim())
}

async function assertFilter(link: Link, target: Target): Promise<void> {
  if (target.filter === null) return
  try {
    await link.describe(`select 1 from ${target.from} where (\n${target.filter}\n)`)
  } catch (error) {
    if (!(error instanceof ConnectorError) || error.kind !== 'configuration') throw error
    throw new ConnectorError('configuration', error.message, {
      field: 'query.filter',
      advice: 'Write a condition as in a WHERE clause.',
      cause: error,
    })
  }
}
