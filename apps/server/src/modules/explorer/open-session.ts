import { type KnownSchema, type KnownTable, findSchema, findTable } from '@trellis/workspace-db/catalogue/find-table'
import { withPlainSession } from '@trellis/workspace-db/catalogue/plain-session'
import { createNamesCache, readNames } from '@trellis/workspace-db/catalogue/read-names'
import type { Session } from '@trellis/workspace-db/session'
import type { SessionLimits } from '@trellis/workspace-db/session/session-options'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type OpenDatabase, openDatabase } from './database.service.ts'

export interface Target {
  readonly integrationCode: string
  readonly limits?: Partial<SessionLimits>
}

type Work<T> = (session: Session, database: OpenDatabase) => Promise<T>

/** Whatever the role of the person: looking is done by a login that can only read, and ends when they go away. */
export async function reading<T>(ctx: WorkspaceCtx, target: Target, work: Work<T>): Promise<T> {
  const database = await openDatabase(ctx, target.integrationCode)
  const session = { ...sessionOf(database, 'ro'), limits: target.limits ?? {}, signal: ctx.wire.signal }
  return await withPlainSession(database.cluster, session, (opened) => work(opened, database))
}

/** For changes, and for what only the owner may see. */
export async function writing<T>(ctx: WorkspaceCtx, target: Target, work: Work<T>): Promise<T> {
  const database = await openDatabase(ctx, target.integrationCode)
  const session = { ...sessionOf(database, 'rw'), limits: target.limits ?? {} }
  return await withPlainSession(database.cluster, session, (opened) => work(opened, database))
}

export function sessionOf<R extends 'ro' | 'rw'>({ database, credentials }: OpenDatabase, role: R) {
  return { database, credentials, role }
}

const cache = createNamesCache()

export async function namesOf(session: Session, { database }: OpenDatabase) {
  return await readNames(session, { database, cache })
}

export async function getTable(
  session: Session,
  { schema_name, table_name }: { schema_name: string; table_name: string },
): Promise<KnownTable> {
  const table = await findTable(session, { schema: schema_name, name: table_name })
  if (!table) throw new AppError('not_found', 'There is no such table, or you have no access to it.')
  return table
}

export async function getSchema(session: Session, name: string): Promise<KnownSchema> {
  const schema = await findSchema(session, name)
  if (!schema) throw new AppError('not_found', 'There is no such schema, or you have no access to it.')
  return schema
}
