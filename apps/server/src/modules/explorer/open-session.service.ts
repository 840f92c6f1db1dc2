import {
  type CatalogueSchema,
  type CatalogueTable,
  findSchema,
  findTable,
} from '@trellis/workspace-db/catalogue/find-table'
import { withCatalogueSession } from '@trellis/workspace-db/catalogue/plain-session'
import { createNamesCache, readNames } from '@trellis/workspace-db/catalogue/read-names'
import type { Session } from '@trellis/workspace-db/session'
import type { SessionLimits } from '@trellis/workspace-db/session/session-options'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx, WorkspaceCtx } from '../../platform/ctx.ts'
import {
  type OutsideDatabase,
  withOutsideDatabase,
  withOutsideDatabaseForJob,
} from '../integrations/outside-databases.service.ts'
import {
  type OpenDatabase,
  managedCode,
  openDatabase,
  openWorkspaceDatabase,
} from '../../platform/workspace-database/open-database.ts'

export interface Target {
  readonly integrationCode: string
  readonly limits?: Partial<SessionLimits>
  /** Only deletes, so it is allowed when the disk is full. */
  readonly isMakingRoom?: boolean
}

export type ExploredDatabase = OpenDatabase | OutsideDatabase

type Work<T, D = ExploredDatabase> = (session: Session, database: D) => Promise<T>

/** Read-only whatever the person's role; ends with the request. */
export async function withReaderSession<T>(ctx: WorkspaceCtx, target: Target, work: Work<T>): Promise<T> {
  const look = { limits: target.limits ?? {}, signal: ctx.http.signal, person: String(ctx.actor.profileId) }
  if (target.integrationCode !== managedCode(ctx.workspace.code)) {
    return await withOutsideDatabase(ctx, { ...look, code: target.integrationCode }, work)
  }
  const database = await openDatabase(ctx, target.integrationCode)
  const session = { ...toSessionTarget(database, 'ro'), ...look, canUseReplica: true }
  return await withCatalogueSession(database.cluster, session, (openedSession) => work(openedSession, database))
}

interface JobTarget {
  readonly accountId: number
  readonly workspaceId: number
  readonly workspaceCode: string
  readonly integrationCode: string
  readonly limits: Partial<SessionLimits>
  readonly signal: AbortSignal
}

export async function withReadSession<T>(ctx: SystemCtx, target: JobTarget, work: Work<T>): Promise<T> {
  const { limits, signal, accountId, workspaceId, integrationCode } = target
  if (integrationCode !== managedCode(target.workspaceCode)) {
    return await withOutsideDatabaseForJob(ctx, { accountId, workspaceId, code: integrationCode, limits, signal }, work)
  }
  const database = await openWorkspaceDatabase(ctx, { workspaceId, integrationCode })
  const session = { ...toSessionTarget(database, 'ro'), limits, signal }
  return await withCatalogueSession(database.cluster, session, (openedSession) => work(openedSession, database))
}

export async function withWriterSession<T>(ctx: WorkspaceCtx, target: Target, work: Work<T, OpenDatabase>): Promise<T> {
  const database = await openDatabase(ctx, target.integrationCode)
  const { limits = {}, isMakingRoom = false } = target
  const session = { ...toSessionTarget(database, 'rw'), limits, isMakingRoom }
  return await withCatalogueSession(database.cluster, session, (openedSession) => work(openedSession, database))
}

export function toSessionTarget<R extends 'ro' | 'rw'>({ database, credentials }: OpenDatabase, role: R) {
  return { database, credentials, role }
}

const cache = createNamesCache()

/** A moved database has other transactions, and objects with other numbers. */
export async function readCatalogueNames(session: Session, looked: ExploredDatabase) {
  const place = looked.kind === 'managed' ? `${looked.clusterId}/${looked.database}` : looked.database
  return await readNames(session, { database: place, cache })
}

export async function getTable(
  session: Session,
  { schema_name, table_name }: { schema_name: string; table_name: string },
): Promise<CatalogueTable> {
  const table = await findTable(session, { schema: schema_name, name: table_name })
  if (!table) throw new AppError('not_found', 'There is no such table, or you have no access to it.')
  return table
}

export async function getSchema(session: Session, name: string): Promise<CatalogueSchema> {
  const schema = await findSchema(session, name)
  if (!schema) throw new AppError('not_found', 'There is no such schema, or you have no access to it.')
  return schema
}
