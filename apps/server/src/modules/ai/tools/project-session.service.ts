import { listAllowedFunctions, cacheAllowedFunctions } from '@trellis/sql-guard/allowed-functions'
import { GUARD_LIMITS } from '@trellis/sql-guard/run-guarded'
import { withScopedSession } from '@trellis/workspace-db/scoped/scoped-session'
import type { Session } from '@trellis/workspace-db/session'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { managedCode, openDatabase } from '../../../platform/workspace-database/open-database.ts'
import { withOutsideDatabase } from '../../integrations/outside-databases.service.ts'
import type { ProjectTable } from '../../ai-projects/projects.service.ts'

export interface ProjectSessionOptions {
  readonly integrationCode: string
  readonly tables: readonly ProjectTable[]
  readonly signal: AbortSignal
}

export interface ProjectSession {
  readonly session: Session
  readonly functions: ReadonlySet<string>
}

/** Least privilege for generated SQL: a login with SELECT on the project's tables only, or a read-only transaction. */
export async function withProjectSession<T>(
  ctx: WorkspaceCtx,
  { integrationCode, tables, signal }: ProjectSessionOptions,
  work: (openedProjectSession: ProjectSession) => Promise<T>,
): Promise<T> {
  const { maxRows, maxBytes, statementMs } = GUARD_LIMITS
  const limits = { maxRows, maxBytes, statementMs }
  if (integrationCode !== managedCode(ctx.workspace.code)) {
    return await withOutsideDatabase(ctx, { code: integrationCode, limits, signal }, async (session) =>
      work({ session, functions: await listAllowedFunctions(session) }),
    )
  }
  const { cluster, database, credentials } = await openDatabase(ctx, integrationCode)
  const addresses = tables.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
  const person = String(ctx.actor.profileId)
  return await withScopedSession(
    cluster,
    { database, credentials, tables: addresses, limits, signal, person, canUseReplica: true },
    async (session) =>
      work({ session, functions: await cacheAllowedFunctions(cluster, () => listAllowedFunctions(session)) }),
  )
}
