import { readTableDependents } from '@trellis/workspace-db/catalogue/dependents'
import type { Session } from '@trellis/workspace-db/session'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type TableName, readsOf, sqlOf } from '../tables-of-block.ts'
import { findReadingBlocks } from './readers.repository.ts'

export interface Reader {
  readonly kind: 'block' | 'view'
  readonly name: string
}

/** Views that would see the change, and what lies on them. */
export async function findViews(session: Session, oid: string): Promise<Reader[]> {
  const dependents = await readTableDependents(session, Number(oid))
  return dependents.flatMap(({ kind, schema, name }) =>
    kind === 'view' || kind === 'materialized_view' ? [{ kind: 'view' as const, name: `${schema}.${name}` }] : [],
  )
}

/** Blocks of all dataflows that are told to read one of the tables, or whose SQL names it. */
export async function findReaderBlocks(
  ctx: WorkspaceCtx,
  tables: readonly TableName[],
  own: string,
): Promise<Reader[]> {
  if (tables.length === 0) return []
  const blocks = await findReadingBlocks(ctx)
  return blocks
    .filter(({ code, settings }) => {
      if (code === own) return false
      const sql = sqlOf(settings)
      return tables.some((table) => readsOf(settings).some((read) => isSame(read, table)) || namesTable(sql, table))
    })
    .map(({ name, dataflow_name }) => ({ kind: 'block', name: `${name} (${dataflow_name})` }))
}

const isSame = (a: TableName, b: TableName) => a.schema_name === b.schema_name && a.table_name === b.table_name

/** As a whole word, with or without its schema and quotes: too much is told rather than too little. */
export function namesTable(sql: string, { table_name }: TableName): boolean {
  const name = table_name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(String.raw`(?<![\p{L}\p{N}_$])${name}(?![\p{L}\p{N}_$])`, 'iu').test(sql)
}
