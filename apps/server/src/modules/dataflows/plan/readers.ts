import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/app-error.ts'
import { readCatalogueUsage } from '../../explorer/catalogue-usage.service.ts'
import { managedCode } from '../../../platform/workspace-database/open-database.ts'
import { findTableUsers } from '../table-users.service.ts'
import type { TableName } from '../block-tables.ts'

export interface Reader {
  readonly kind: 'block' | 'view'
  readonly name: string
}

export async function findReaders(
  ctx: WorkspaceCtx,
  tables: readonly TableName[],
  ownBlockCode: string,
): Promise<Reader[]> {
  const views: TableName[] = []
  for (const { schema_name, table_name } of tables) {
    const tableLocation = { integrationCode: managedCode(ctx.workspace.code), schema: schema_name, table: table_name }
    const usage = await readCatalogueUsage(ctx, tableLocation).catch(ignoreMissing)
    for (const { letter, schema, name, isNamed } of usage?.deleted.relations ?? []) {
      if (!isNamed && (letter === 'v' || letter === 'm')) views.push({ schema_name: schema, table_name: name })
    }
  }
  const users = await findTableUsers(ctx, [...tables, ...views])
  const viewNames = new Set(views.map(({ schema_name, table_name }) => `${schema_name}.${table_name}`))
  return [
    ...users
      .filter(({ code, reads }) => code !== ownBlockCode && reads.length > 0)
      .map(({ name, dataflowName }) => ({ kind: 'block' as const, name: `${name} (${dataflowName})` })),
    ...[...viewNames].map((name) => ({ kind: 'view' as const, name })),
  ]
}

/** A table not created yet, or of a database that is not ready, has no readers. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'unavailable')) return undefined
  throw error
}
