import type { DatabaseSession } from '@trellis/contract/database-admin/database-admin.schemas'
import { endSession, findSessions } from '@trellis/workspace-db/roles/external-sessions'
import type { infer as Infer } from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { openDatabase } from '../explorer/database.service.ts'
import { listWorkspaceMembers } from '../members/members.service.ts'
import { findStored } from './access.repository.ts'
import { loginsOf } from './firewall-state.ts'

export async function listDatabaseSessions(ctx: WorkspaceCtx, code: string): Promise<Infer<typeof DatabaseSession>[]> {
  const database = await openDatabase(ctx, code)
  const { profiles } = await findStored(ctx, database)
  const people = await listWorkspaceMembers(ctx)
  const nameOf = (user: string) => {
    const profile = profiles.find((one) => loginsOf(database, one).includes(user))
    const person = people.find((one) => one.profile.id === profile?.profile_id)?.profile
    return profile?.name ?? (person ? `${person.first_name} ${person.surname}`.trim() : null)
  }
  const sessions = await findSessions(database.cluster, database)
  return sessions.map((session) => ({
    pid: session.pid,
    user_name: session.user,
    profile_name: nameOf(session.user),
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
