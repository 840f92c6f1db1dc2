import type { PublishPlan } from '@trellis/contract/runs/versions.schemas'
import type { SchemaChange } from '@trellis/loads/plan/schema-change'
import { listReferences } from '@trellis/sql-grammar/list-references'
import { parseSql } from '@trellis/sql-grammar/parse'
import { createTableFinder } from '@trellis/sql-grammar/table-finder'
import { type ColumnView, listColumnViews } from '@trellis/workspace-db/catalogue/column-views'
import type { Target } from '@trellis/loads/target'
import type { Session } from '@trellis/workspace-db/session'
import type * as z from 'zod/mini'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { Settings } from '@trellis/contract/dataflows/start-settings'
import { findBlocksWithLive } from '../table-users.repository.ts'
import { SEARCH_PATH, hasWord } from '../table-users.service.ts'
import { listReadTables, listSqlTexts } from '../block-tables.ts'

type ColumnReader = z.infer<typeof PublishPlan>['column_readers'][number]

export interface ChangedTable {
  readonly schema: string
  readonly name: string
  readonly columns: readonly string[]
  readonly changed: readonly { readonly column: string; readonly change: ColumnReader['change'] }[]
  readonly views: readonly ColumnView[]
}

const CHANGES: Partial<Record<SchemaChange['kind'], ColumnReader['change']>> = {
  narrow: 'type',
  convert: 'type',
  widen: 'type',
  gone: 'gone',
  allow_null: 'gone',
  lost_key: 'gone',
}

export async function readChangedTable(
  session: Session,
  target: Target,
  changes: readonly SchemaChange[],
): Promise<ChangedTable | undefined> {
  const changed = changes.flatMap((schemaChange) => {
    const change = CHANGES[schemaChange.kind]
    return change && 'column' in schemaChange ? [{ column: schemaChange.column, change }] : []
  })
  if (changed.length === 0) return undefined
  const columns = target.columns.map(({ name }) => name)
  return {
    schema: target.schema,
    name: target.table,
    columns,
    changed,
    views: await listColumnViews(session, target.oid),
  }
}

export async function findColumnReaders(
  ctx: WorkspaceCtx,
  tables: readonly ChangedTable[],
  ownBlockCode: string,
): Promise<ColumnReader[]> {
  if (tables.length === 0) return []
  const blocks = (await findBlocksWithLive(ctx)).filter(({ code }) => code !== ownBlockCode)
  const columnReaders: ColumnReader[] = []
  for (const table of tables) {
    for (const { column, change } of table.changed) {
      const readers: ColumnReader['readers'] = []
      for (const { name, dataflow_name, settings, live_settings } of blocks) {
        const versions = live_settings === null ? [settings] : [settings, live_settings]
        const usages = await Promise.all(versions.map((version) => readsColumn(version, table, column)))
        if (usages.includes(true)) readers.push({ kind: 'block', name: `${name} (${dataflow_name})` })
      }
      const views = table.views.filter((view) => view.column === column)
      readers.push(...views.map((view) => ({ kind: 'view' as const, name: `${view.schema}.${view.name}` })))
      if (readers.length > 0) columnReaders.push({ table: `${table.schema}.${table.name}`, column, change, readers })
    }
  }
  return columnReaders
}

async function readsColumn(settings: Settings, table: ChangedTable, column: string): Promise<boolean> {
  const isTable = (item: { schema_name: string; table_name: string }) =>
    item.schema_name === table.schema && item.table_name === table.name
  if (listReadTables(settings).some(isTable)) return true
  for (const sql of listSqlTexts(settings)) if (await mentionsColumn(sql, table, column)) return true
  return false
}

async function mentionsColumn(sql: string, table: ChangedTable, column: string): Promise<boolean> {
  if (!hasWord(sql, table.name)) return false
  const { statements, errors } = await parseSql(sql)
  const findTable = createTableFinder({ tables: [table], searchPath: [SEARCH_PATH] })
  const references = statements.map((statement) => listReferences(statement, { findTable }))
  // Unparseable SQL is searched for the name: false positives are preferred.
  if (errors.length > 0 || references.some(({ isOpaque }) => isOpaque)) return hasWord(sql, column)
  return references.some(({ tables }) =>
    tables.some(
      (tableReference) =>
        (tableReference.schema ?? SEARCH_PATH) === table.schema &&
        tableReference.name === table.name &&
        tableReference.isRead &&
        (tableReference.readsAllColumns ||
          tableReference.columns.includes(column) ||
          tableReference.possibleColumns.includes(column)),
    ),
  )
}
