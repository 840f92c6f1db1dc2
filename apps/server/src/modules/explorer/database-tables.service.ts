import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { managedCode } from './database.service.ts'
import { namesOf, reading } from './open-session.ts'

/** Names of all tables and views as `["schema","table"]`; none as long as the database is not ready. */
export async function listTables(ctx: WorkspaceCtx): Promise<ReadonlySet<string>> {
  try {
    return await reading(ctx, { integrationCode: managedCode(ctx.workspace.code) }, async (session, database) => {
      const { tables } = await namesOf(session, database)
      return new Set(tables.map(({ schema, name }) => JSON.stringify([schema, name])))
    })
  } catch (error) {
    if (error instanceof AppError && (error.code === 'unavailable' || error.code === 'not_found')) return new Set()
    throw error
  }
}
