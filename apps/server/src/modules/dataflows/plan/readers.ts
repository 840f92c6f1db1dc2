import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { AppError } from '../../../platform/app-error.ts'
import { readUsage } from '../../dependencies/dependencies.service.ts'
import { managedCode } from '../../explorer/database.service.ts'
import { findTableUsers } from '../table-users.service.ts'
import type { TableName } from '../tables-of-block.ts'

export interface Reader {
  readonly kind: 'block' | 'view'
  readonly name: string
}

/** Views on the tables, and blocks of all dataflows that read the tables or one of those views. */
export async function findReaders(ctx: WorkspaceCtx, tables: readonly TableName[], own: string): Promise<Reader[]> {
  const views: TableName[] = []
  for (const { schema_name, table_name } of tables) {
    const place = { integrationCode: managedCode(ctx.workspace.code), schema: schema_name, table: table_name }
    const usage = await readUsage(ctx, place).catch(ignoreMissing)
    for (const item of usage?.used_by ?? []) {
      const isView = item.kind === 'view' || item.kind === 'materialized_view'
      if (isView && item.schema_name !== null) views.push({ schema_name: item.schema_name, table_name: item.name })
    }
  }
  const users = await findTableUsers(ctx, [...tables, ...views])
  const names = new Set(views.map(({ schema_name, table_name }) => `${schema_name}.${table_name}`))
  return [
    ...users
      .filter(({ code, reads }) => code !== own && reads.length > 0)
      .map(({ name, dataflowName }) => ({ kind: 'block' as const, name: `${name} (${dataflowName})` })),
    ...[...names].map((name) => ({ kind: 'view' as const, name })),
  ]
}

/** A table that the first run makes is used by nobody yet, as is one of a database that is not ready. */
function ignoreMissing(error: unknown): undefined {
  if (error instanceof AppError && (error.code === 'not_found' || error.code === 'unavailable')) return undefined
  throw error
}
