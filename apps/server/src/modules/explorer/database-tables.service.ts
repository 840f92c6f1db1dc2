import type { Session } from '@trellis/workspace-db/session'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { managedCode } from '../../platform/workspace-database/open-database.ts'
import { readCatalogueNames, withReaderSession, withWriterSession } from './open-session.service.ts'

/** As `["schema","table"]`; empty until the database is ready. */
export async function listTables(ctx: WorkspaceCtx): Promise<ReadonlySet<string>> {
  const names = await whenReady(() =>
    withReaderSession(ctx, getManagedDatabase(ctx), async (session, database) => {
      const { tables } = await readCatalogueNames(session, database)
      return new Set(tables.map(({ schema, name }) => JSON.stringify([schema, name])))
    }),
  )
  return names ?? new Set()
}

/** With the owner's rights; undefined until the database is ready. */
export async function withTableSession<T>(
  ctx: WorkspaceCtx,
  look: (session: Session) => Promise<T>,
  limits: { statementMs?: number } = {},
): Promise<T | undefined> {
  return await whenReady(() => withWriterSession(ctx, { ...getManagedDatabase(ctx), limits }, look))
}

const getManagedDatabase = (ctx: WorkspaceCtx) => ({ integrationCode: managedCode(ctx.workspace.code) })

async function whenReady<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError && (error.code === 'unavailable' || error.code === 'not_found')) return undefined
    throw error
  }
}
