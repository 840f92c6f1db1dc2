import type { Cluster } from '../cluster.ts'
import { withWorkspaceAdmin } from '../in-workspace.ts'
import type { WorkspaceNames } from '../names.ts'
import type { Access } from './access.ts'
import { loginName } from './access-names.ts'
import { HIDDEN_PASSWORD, type PlannedStatement, planAccess } from './plan-access.ts'
import { endUserSessions } from './external-sessions.ts'
import { readAccess } from './read-access.ts'

export interface AccessChange {
  readonly key: string
  readonly access: Access
  /** SCRAM verifiers of new logins, by name. Logins without one are skipped. */
  readonly verifiers?: Readonly<Record<string, string>>
}

/** Dry run. */
export async function previewAccess(cluster: Cluster, { key, access }: AccessChange): Promise<string[]> {
  return await withWorkspaceAdmin(cluster, key, async (client, names) => {
    const statements = planAccess(access, await readAccess(client, names), {
      names,
      isSuperuser: cluster.isSuperuser,
    })
    return statements.map(({ text }) => text)
  })
}

/** All or nothing; then terminates sessions of dropped logins. */
export async function applyAccess(cluster: Cluster, change: AccessChange): Promise<string[]> {
  const { key, verifiers = {} } = change
  const { executedStatements, droppedLoginOids } = await withWorkspaceAdmin(cluster, key, async (client, names) => {
    const actualAccess = await readAccess(client, names)
    const existingRoles = new Set(actualAccess.roles.map((role) => role.name))
    const creatableAccess = omitLoginsWithoutPassword(change, names, existingRoles)
    const statements = planAccess(creatableAccess, actualAccess, { names, isSuperuser: cluster.isSuperuser })
    const droppedRoles = new Set(statements.map((statement) => statement.drops))
    const losingProfiles = new Set(statements.map((statement) => statement.losing))
    const affectedMembers = new Set(
      actualAccess.memberships
        .filter((membership) => losingProfiles.has(membership.role))
        .map((membership) => membership.member),
    )
    const affectedLogins = actualAccess.roles.filter((role) => role.isExternal && affectedMembers.has(role.name))
    await endAffectedSessions(cluster, {
      users: affectedLogins.map((role) => role.name),
      closed: affectedLogins.filter((role) => droppedRoles.has(role.name)).map((role) => role.name),
    })
    for (const statement of statements) await client.query(fillPassword(statement, verifiers))
    const removedLoginOids = actualAccess.roles
      .filter((role) => role.isExternal && droppedRoles.has(role.name))
      .map((role) => role.oid)
    return { executedStatements: statements.map(({ text }) => text), droppedLoginOids: removedLoginOids }
  })
  // By oid: a session outlives its role's name.
  if (droppedLoginOids.length > 0) {
    await cluster.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usesysid = any($1::oid[])',
      [droppedLoginOids],
    )
  }
  return executedStatements
}

/** Logins to be dropped are closed first; if the change fails, repeating it reopens them. */
async function endAffectedSessions(
  cluster: Cluster,
  { users, closed }: { users: string[]; closed: string[] },
): Promise<void> {
  for (const user of closed) await cluster.admin.query(`alter role ${user} nologin`)
  if (users.length > 0) await endUserSessions(cluster, users)
}

function omitLoginsWithoutPassword(
  { access, verifiers = {} }: AccessChange,
  names: WorkspaceNames,
  existingRoles: ReadonlySet<string>,
): Access {
  const canExist = (name: string) => verifiers[name] !== undefined || existingRoles.has(name)
  return {
    ...access,
    profiles: access.profiles.map((profile) => ({
      ...profile,
      logins: profile.logins.filter(({ suffix }) => canExist(loginName(names, profile, suffix))),
    })),
  }
}

/** The verifier, since a password would appear in the server's log. */
function fillPassword({ text, passwordFor }: PlannedStatement, verifiers: Readonly<Record<string, string>>): string {
  const verifier = passwordFor === undefined ? undefined : verifiers[passwordFor]
  return verifier === undefined ? text : text.replace(HIDDEN_PASSWORD, () => verifier)
}
