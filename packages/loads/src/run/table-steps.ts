import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { findFreeName } from '../table-properties.ts'
import type { TableName } from '../target.ts'
import type { SchemaChange } from '../plan/schema-change.ts'
import { type WrittenColumn, toPostgresType } from '../plan/tables.ts'

export const quoteTable = ({ schema, table }: TableName) => `${quoteName(schema)}.${quoteName(table)}`
export const joinNames = (names: readonly string[], prefix = '') =>
  names.map((name) => `${prefix}${quoteName(name)}`).join(', ')

export async function createTable(
  session: Session,
  table: TableName,
  { columns, primaryKey }: { columns: readonly WrittenColumn[]; primaryKey: readonly string[] },
): Promise<void> {
  const definitions = columns.map(({ name, postgres }) => `${quoteName(name)} ${postgres}`)
  if (primaryKey.length > 0) definitions.push(`primary key (${joinNames(primaryKey)})`)
  await session
    .query({ text: `create table ${quoteTable(table)} (${definitions.join(', ')})` })
    .catch((error: unknown) => {
      throw toRetryableIfRace(error, table)
    })
}

/** Another load has created it since this one was planned: the next attempt plans for the table that is there. */
function toRetryableIfRace(error: unknown, { schema, table }: TableName): unknown {
  if (!(error instanceof WorkspaceDbError)) return error
  const isRace =
    error.sqlState === SQL_STATE.UNIQUE_VIOLATION && /\bpg_(type|class)_\w+_nsp_index\b/.test(error.message)
  if (!isRace && error.sqlState !== SQL_STATE.DUPLICATE_TABLE) return error
  const message = isRace ? `Another run created the table "${schema}.${table}" at the same time.` : error.message
  return new WorkspaceDbError({ code: 'locked', message, sqlState: error.sqlState, cause: error })
}

export async function createIndex(
  session: Session,
  { schema, table }: TableName,
  { column, type }: { column: string; type: string },
): Promise<void> {
  const name = await findFreeName(session, schema, `${table}_${column}_idx`)
  const method = INDEX_TYPES.find((indexType) => indexType === type) ?? 'btree'
  await session.query({
    text: `create index ${quoteName(name)} on ${quoteTable({ schema, table })} using ${method} (${quoteName(column)})`,
  })
}
export const INDEX_TYPES = ['btree', 'hash', 'brin'] as const

export async function alterTable(session: Session, table: TableName, change: SchemaChange): Promise<void> {
  const alter = `alter table ${quoteTable(table)}`
  switch (change.kind) {
    case 'add':
      await session.query({
        text: `${alter} add column if not exists ${quoteName(change.column)} ${toPostgresType(change.type)}`,
      })
      return
    case 'widen':
    case 'narrow':
    case 'convert': {
      const [column, type] = [quoteName(change.column), toPostgresType(change.type)]
      await session.query({ text: `${alter} alter column ${column} type ${type} using ${column}::${type}` })
      return
    }
    case 'allow_null':
      await session.query({ text: `${alter} alter column ${quoteName(change.column)} drop not null` })
      return
    case 'change_key':
      await changePrimaryKey(session, table, change.to)
      return
    default:
  }
}

async function changePrimaryKey(session: Session, table: TableName, newKey: readonly string[]): Promise<void> {
  const { rows } = await session.query({
    text: `select conname from pg_constraint where conrelid = $1::regclass and contype = 'p'`,
    values: [quoteTable(table)],
  })
  const dropStatements = rows.map(([name]) => `drop constraint ${quoteName(name ?? '')}`)
  const changes = [...dropStatements, `add primary key (${joinNames(newKey)})`]
  await session.query({ text: `alter table ${quoteTable(table)} ${changes.join(', ')}` })
}
