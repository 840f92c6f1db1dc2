import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { findLabelsOn, findRunningExports } from './remembered.repository.ts'

export { findLabelsOn, deleteRememberedTable, insertLabelled } from './remembered.repository.ts'

export interface TablesAt {
  readonly integrationCode: string
  readonly tables: readonly { readonly schema: string; readonly name: string }[]
}

export async function listLabelsOn(ctx: WorkspaceCtx, at: TablesAt): Promise<{ name: string; tables: string[] }[]> {
  const rows = (await findLabelsOn(ctx, at.integrationCode)).filter(isAmong(at))
  const byName = Map.groupBy(rows, ({ label }) => label)
  return [...byName].map(([name, own]) => ({ name, tables: own.map(({ table_name }) => table_name) }))
}

export async function listRunningExports(ctx: WorkspaceCtx, at: TablesAt): Promise<string[]> {
  const rows = (await findRunningExports(ctx, at.integrationCode)).filter(isAmong(at))
  return rows.map(({ schema_name, table_name }) => `${schema_name}.${table_name}`)
}

const isAmong = ({ tables }: TablesAt) => {
  const keys = new Set(tables.map(({ schema, name }) => JSON.stringify([schema, name])))
  return (row: { schema_name: string; table_name: string }) =>
    keys.has(JSON.stringify([row.schema_name, row.table_name]))
}
