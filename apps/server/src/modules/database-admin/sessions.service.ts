import type { DatabaseSession } from '@trellis/contract/database-admin/database-admin.schemas'
import { endSession, findSessions } from '@trellis/workspace-db/roles/external-sessions'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../../platform/workspace-database/open-database.ts'
import { listWorkspaceMembers } from '../workspace-members/workspace-members.service.ts'
import { findStoredAccess } from './access.repository.ts'
import { listLoginNames } from './firewall-state.ts'

export async function listDatabaseLogins(ctx: WorkspaceCtx, code: string): Promise<ReadonlyMap<string, string>> {
  const database = await openDatabase(ctx, code)
  const { profiles } = await findStoredAccess(ctx, database)
  const people = await listWorkspaceMembers(ctx)
  return new Map(
    profiles.flatMap((profile) => {
      const person = people.find((candidate) => candidate.profile.id === profile.profile_id)?.profile
      const name = profile.name ?? (person ? `${person.first_name} ${person.surname}`.trim() : undefined)
      return name === undefined ? [] : listLoginNames(database, profile).map((login): [string, string] => [login, name])
    }),
  )
}

export async function listDatabaseSessions(ctx: WorkspaceCtx, code: string): Promise<Infer<typeof DatabaseSession>[]> {
  const database = await openDatabase(ctx, code)
  const logins = await listDatabaseLogins(ctx, code)
  const sessions = await findSessions(database.cluster, database)
  return sessions.map((session) => ({
    pid: session.pid,
    user_name: session.user,
    profile_name: logins.get(session.user) ?? null,
    application: session.application,
    address: session.address,
    state: session.state,
    since: session.since.toISOString(),
    query_since: session.querySince?.toISOString() ?? null,
  }))
}

export async function endDatabaseSession(ctx: WorkspaceCtx, code: string, pid: number): Promise<{ done: true }> {
  const database = await openDatabase(ctx, code)
  if (!(await endSession(database.cluster, { key: database.key, pid })))
    throw new AppError('not_found', 'This connection has ended already.')
  return { done: true }
}
