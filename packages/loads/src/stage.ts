import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import type { Session } from '@trellis/workspace-db/session'
import { quoteName } from '@trellis/workspace-db/identifiers'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { qualifyPlatformTable } from './own-tables.ts'

export const ROW_COLUMN = 'trellis_row'

export interface StageColumn {
  readonly name: string
  /** Never user input. */
  readonly type: string
  readonly isRequired?: boolean
}

export interface StageShape {
  readonly name: string
  readonly columns: readonly StageColumn[]
  readonly isLogged: boolean
  readonly isNumbered?: boolean | 'by_itself'
}

/**
 * The sequence of an unlogged table is unreadable on a promoted replica ("bad magic number") unless it is logged
 * itself.
 */
export const ROW_NUMBER_IDENTITY = 'generated always as identity (logged)'

export async function createStage(session: Session, shape: StageShape): Promise<void> {
  const columns = shape.columns.map(
    ({ name, type, isRequired }) => `${quoteName(name)} ${type}${isRequired ? ' not null' : ''}`,
  )
  if (shape.isNumbered)
    columns.unshift(`${ROW_COLUMN} bigint${shape.isNumbered === 'by_itself' ? ` ${ROW_NUMBER_IDENTITY}` : ''}`)
  const kind = shape.isLogged ? 'table' : 'unlogged table'
  await session.query({
    text: `create ${kind} if not exists ${qualifyPlatformTable(shape.name)} (${columns.join(', ')})`,
  })
}

export async function dropStage(session: Session, name: string): Promise<void> {
  await session.query({ text: `drop table if exists ${qualifyPlatformTable(name)}` })
}

/** If there is one. */
export async function renameStage(session: Session, from: string, to: string): Promise<void> {
  await session.query({ text: `alter table if exists ${qualifyPlatformTable(from)} rename to ${to}` })
}

export async function listPlatformTables(session: Session, kind: 'stage' | 'undo'): Promise<string[]> {
  const { rows } = await session.query({
    text: `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
            where n.nspname = $1 and c.relkind = 'r' and c.relname like $2 order by 1`,
    values: [LOADS_SCHEMA, `${kind}\\_%`],
  })
  return rows.flatMap(([name]) => name ?? [])
}

export async function countStagedRows(session: Session, name: string): Promise<number | undefined> {
  const names = await listPlatformTables(session, 'stage')
  if (!names.includes(name)) return undefined
  const { rows } = await session.query({ text: `select count(*) from ${qualifyPlatformTable(name)}` })
  return Number(rows[0]?.[0])
}

export interface NewTableRules {
  readonly required: readonly string[]
  readonly key: readonly string[]
  readonly indexes: readonly { readonly column: string; readonly method: 'btree' | 'hash' | 'brin' }[]
}

const CONSTRAINT_VIOLATIONS: readonly string[] = [SQL_STATE.NOT_NULL_VIOLATION, SQL_STATE.UNIQUE_VIOLATION]

/** Key and indexes of a new table. False if rows violate them. */
export async function addKeyAndIndexes(session: Session, stage: string, rules: NewTableRules): Promise<boolean> {
  const stageTable = qualifyPlatformTable(stage)
  const required = rules.required.map((name) => `alter column ${quoteName(name)} set not null`)
  const key = rules.key.map((name) => quoteName(name)).join(', ')
  const constraintChanges = [...required, ...(key === '' ? [] : [`add constraint ${stage}_k primary key (${key})`])]
  try {
    if (constraintChanges.length > 0)
      await session.query({ text: `alter table ${stageTable} ${constraintChanges.join(', ')}` })
  } catch (error) {
    if (error instanceof WorkspaceDbError && CONSTRAINT_VIOLATIONS.includes(error.sqlState ?? '')) return false
    throw error
  }
  for (const [index, { column, method }] of rules.indexes.entries()) {
    await session.query({
      text: `create index ${stage}_i${index} on ${stageTable} using ${method} (${quoteName(column)})`,
    })
  }
  return true
}
