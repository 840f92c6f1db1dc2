import type { Field } from '@trellis/connector-kit/batch'
import type { WriteRequest } from '@trellis/connector-kit/connector'
import { COLUMN_TYPES } from '@trellis/contract/explorer/column-types'
import { quoteName } from '../shared/postgres/column-kinds.ts'
import type { Link } from '../shared/postgres/link.ts'
import { type TableTarget, stagingTableName } from '../shared/table-target.ts'

export interface ExistingTable {
  readonly id: string
  readonly columns: ReadonlyMap<string, string>
}

export interface Load extends WriteRequest {
  readonly target: TableTarget
  readonly existing: ExistingTable | undefined
}

/** Order of arrival: the last row of a key wins. */
export const ORDER_COLUMN = 'trellis_order'

export function toTableName({ target, loadId }: Load, which: 'target' | 'stage'): string {
  const table = which === 'target' ? target.table : stagingTableName(target, loadId)
  return `${quoteName(target.schema)}.${quoteName(table)}`
}

export async function findTarget(link: Link, { schema, table }: TableTarget): Promise<ExistingTable | undefined> {
  const rows = await link.query(
    `select c.oid, a.attname, format_type(a.atttypid, a.atttypmod)
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
       left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = $1 and c.relname = $2`,
    [schema, table],
  )
  const [first] = rows
  if (!first) return undefined
  return { id: first[0] ?? '', columns: new Map(rows.map(([, name, type]) => [name ?? '', type ?? 'text'])) }
}

/** With the target's column types, so that a misfit fails at its batch and not at the end. */
export async function createStage(link: Link, load: Load): Promise<void> {
  const stage = toTableName(load, 'stage')
  const [there] = await link.query('select to_regclass($1)', [stage])
  if (there?.[0]) return
  await link.query('begin')
  if (load.strategy === 'Replace' && load.existing) {
    await link.query(`create table ${stage} (like ${toTableName(load, 'target')} including all)`)
    for (const statement of listMissingColumns(load)) await link.query(`alter table ${stage} add column ${statement}`)
  } else {
    const order = load.strategy === 'Upsert' ? [`${ORDER_COLUMN} bigint generated always as identity`] : []
    const columns = load.fields.map((field) => toColumnDefinition(load, field))
    const key = load.strategy === 'Replace' ? getPrimaryKey(load) : []
    await link.query(`create table ${stage} (${[...columns, ...order, ...key].join(', ')})`)
  }
  await link.query('commit')
}

export const listMissingColumns = ({ existing, fields }: Load): string[] =>
  fields
    .filter(({ name }) => !existing?.columns.has(name))
    .map((field) => `${quoteName(field.name)} ${toPostgresType(field)}`)

function toColumnDefinition(load: Load, field: Field): string {
  const type = load.existing?.columns.get(field.name) ?? toPostgresType(field)
  const isKey = load.strategy === 'Upsert' && load.key.includes(field.name)
  return `${quoteName(field.name)} ${type}${isKey ? ' not null' : ''}`
}

export const toPostgresType = ({ type }: Field): string => COLUMN_TYPES[type].postgres

export function getPrimaryKey({ key, fields }: Load): string[] {
  const isThere = key.length > 0 && key.every((name) => fields.some((field) => field.name === name))
  return isThere ? [`primary key (${key.map(quoteName).join(', ')})`] : []
}
