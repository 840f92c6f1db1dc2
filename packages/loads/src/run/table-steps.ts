import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { findFreeName } from '../table-properties.ts'
import type { TableName } from '../target.ts'
import type { SchemaChange } from '../plan/schema-change.ts'
import { type WrittenColumn, postgresType } from '../plan/tables.ts'

export const quotedTable = ({ schema, table }: TableName) => `${quoteName(schema)}.${quoteName(table)}`
export const joinNames = (names: readonly string[], prefix = '') =>
  names.map((name) => `${prefix}${quoteName(name)}`).join(', ')

export async function createTable(
  session: Session,
  table: TableName,
  { columns, primaryKey }: { columns: readonly WrittenColumn[]; primaryKey: readonly string[] },
): Promise<void> {
  const lines = columns.map(({ name, postgres }) => `${quoteName(name)} ${postgres}`)
  if (primaryKey.length > 0) lines.push(`primary key (${joinNames(primaryKey)})`)
  await session.query({ text: `create table ${quotedTable(table)} (${lines.join(', ')})` }).catch((error: unknown) => {
    throw toPassing(error, table)
  })
}

const DUPLICATE_TABLE = '42P07'

/** Another load has created it since this one was planned: the next attempt plans for the table that is there. */
function toPassing(error: unknown, { schema, table }: TableName): unknown {
  if (!(error instanceof WorkspaceDbError)) return error
  const isRace = error.sqlState === '23505' && /\bpg_(type|class)_\w+_nsp_index\b/.test(error.message)
  if (!isRace && error.sqlState !== DUPLICATE_TABLE) return error
  const message = isRace ? `Another run created the table "${schema}.${table}" at the same time.` : error.message
  return new WorkspaceDbError({ code: 'locked', message, sqlState: error.sqlState, cause: error })
}

export async function createIndex(
  session: Session,
  { schema, table }: TableName,
  { column, type }: { column: string; type: string },
): Promise<void> {
  const name = await findFreeName(session, schema, `${table}_${column}_idx`)
  const method = INDEX_TYPES.find((knownIndexType) => knownIndexType === type) ?? 'btree'
  await session.query({
    text: `create index ${quoteName(name)} on ${quotedTable({ schema, table })} using ${method} (${quoteName(column)})`,
  })
}
export const INDEX_TYPES = ['btree', 'hash', 'brin'] as const

export async function alterTable(session: Session, table: TableName, change: SchemaChange): Promise<void> {
  const alter = `alter table ${quotedTable(table)}`
  switch (change.kind) {
    case 'add':
      await session.query({
        text: `${alter} add column if not exists ${quoteName(change.column)} ${postgresType(change.type)}`,
      })
      return
    case 'widen':
    case 'narrow':
    case 'convert': {
      const [column, type] = [quoteName(change.column), postgresType(change.type)]
      await session.query({ text: `${alter} alter column ${column} type ${type} using ${column}::${type}` })
      return
    }
    case 'allow_null':
      await session.query({ text: `${alter} alter column ${quoteName(change.column)} drop not null` })
      return
    case 'change_key':
      await changeKey(session, table, change.to)
      return
    default:
  }
}

async function changeKey(session: Session, table: TableName, to: readonly string[]): Promise<void> {
  const { rows } = await session.query({
    text: `select conname from pg_constraint where conrelid = $1::regclass and contype = 'p'`,
    values: [quotedTable(table)],
  })
  const old = rows.map(([name]) => `drop constraint ${quoteName(name ?? '')}`)
  const changes = [...old, `add primary key (${joinNames(to)})`]
  await session.query({ text: `alter table ${quotedTable(table)} ${changes.join(', ')}` })
}
