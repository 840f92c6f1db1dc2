import type { Cluster } from '../cluster.ts'
import { inWorkspace } from '../in-workspace.ts'
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
  return await inWorkspace(cluster, key, async (client, names) => {
    const plannedStatements = planAccess(access, await readAccess(client, names), {
      names,
      isSuperuser: cluster.isSuperuser,
    })
    return plannedStatements.map(({ text }) => text)
  })
}

/** All or nothing; then terminates sessions of dropped logins. */
export async function applyAccess(cluster: Cluster, change: AccessChange): Promise<string[]> {
  const { key, verifiers = {} } = change
  const { ran, gone } = await inWorkspace(cluster, key, async (client, names) => {
    const actual = await readAccess(client, names)
    const present = new Set(actual.roles.map((role) => role.name))
    const access = omitUncreated(change, names, present)
    const plannedStatements = planAccess(access, actual, { names, isSuperuser: cluster.isSuperuser })
    const dropped = new Set(plannedStatements.map((statement) => statement.drops))
    const losing = new Set(plannedStatements.map((statement) => statement.losing))
    const members = new Set(
      actual.memberships.filter((membership) => losing.has(membership.role)).map((membership) => membership.member),
    )
    const ending = actual.roles.filter((role) => role.isExternal && members.has(role.name))
    await endBefore(cluster, {
      users: ending.map((role) => role.name),
      closed: ending.filter((role) => dropped.has(role.name)).map((role) => role.name),
    })
    for (const statement of plannedStatements) await client.query(fillPassword(statement, verifiers))
    const gone = actual.roles.filter((role) => role.isExternal && dropped.has(role.name)).map((role) => role.oid)
    return { ran: plannedStatements.map(({ text }) => text), gone }
  })
  // By oid: a session outlives its role's name.
  if (gone.length > 0) {
    await cluster.admin.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where usesysid = any($1::oid[])',
      [gone],
    )
  }
  return ran
}

/** Logins to be dropped are closed first; if the change fails, repeating it reopens them. */
async function endBefore(cluster: Cluster, { users, closed }: { users: string[]; closed: string[] }): Promise<void> {
  for (const user of closed) await cluster.admin.query(`alter role ${user} nologin`)
  if (users.length > 0) await endUserSessions(cluster, users)
}

function omitUncreated(
  { access, verifiers = {} }: AccessChange,
  names: WorkspaceNames,
  present: ReadonlySet<string>,
): Access {
  const isMade = (name: string) => verifiers[name] !== undefined || present.has(name)
  return {
    ...access,
    profiles: access.profiles.map((profile) => ({
      ...profile,
      logins: profile.logins.filter(({ suffix }) => isMade(loginName(names, profile, suffix))),
    })),
  }
}

/** The verifier, since a password would appear in the server's log. */
function fillPassword({ text, passwordFor }: PlannedStatement, verifiers: Readonly<Record<string, string>>): string {
  const verifier = passwordFor === undefined ? undefined : verifiers[passwordFor]
  return verifier === undefined ? text : text.replace(HIDDEN_PASSWORD, () => verifier)
}
