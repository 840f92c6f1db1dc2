import type { TableAddress } from '../catalogue/find-table.ts'
import type { Cluster } from '../cluster.ts'
import { WorkspaceDbError } from '../errors.ts'
import { parseDatabaseNames } from '../names.ts'
import type { LoginPassword } from '../provision/logins.ts'
import { type Session, withLoginSession } from '../session.ts'
import type { SessionLimits } from '../session/session-options.ts'
import { type TableScope, createScopedRole, hasScopedRole, syncTableGrants, toScopedLogin } from './scoped-role.ts'

export interface ScopedTarget extends TableScope {
  readonly limits?: Partial<SessionLimits>
  readonly signal?: AbortSignal | undefined
  readonly person?: string | undefined
  readonly canUseReplica?: boolean
}

const ensuredRolesByCluster = new WeakMap<Cluster, Set<string>>()

/**
 * Can only read the given tables, enforced by its login's privileges. Tables hidden from the workspace's reader stay
 * hidden.
 */
export async function withScopedSession<T>(
  cluster: Cluster,
  { tables, limits, signal, person, canUseReplica = false, ...scope }: ScopedTarget,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const login = toScopedLogin({ ...scope, tables })
  const target = {
    ...scope,
    login,
    role: 'ro' as const,
    isPlain: true,
    person,
    ...(limits && { limits }),
    ...(signal && { signal }),
  }
  const ensuredRoles = ensuredRolesByCluster.get(cluster) ?? new Set<string>()
  ensuredRolesByCluster.set(cluster, ensuredRoles)
  if (!ensuredRoles.has(login.user)) await ensureRole(cluster, login)
  ensuredRoles.add(login.user)
  let hasBegun = false
  const run = async (canUseReplica = false): Promise<T> => {
    const outcome = await withLoginSession(cluster, { ...target, canUseReplica }, async (session) => {
      hasBegun = true
      const changedRights = await findChangedRights(session, login, tables)
      if (changedRights.length > 0) await syncTableGrants(cluster, login, changedRights)
      // The replica does not have the rights given just now.
      if (changedRights.length > 0 && session.isOnReplica) return null
      return { result: await work(session) }
    })
    return outcome ? outcome.result : await run()
  }
  try {
    return await run(canUseReplica)
  } catch (error) {
    // Another process may have dropped the unused role.
    const isGone = error instanceof WorkspaceDbError && error.code === 'unavailable' && !hasBegun
    if (!isGone || (await hasScopedRole(cluster, login))) throw error
    await createScopedRole(cluster, login)
    return await run()
  }
}

async function ensureRole(cluster: Cluster, login: LoginPassword): Promise<void> {
  if (!(await hasScopedRole(cluster, login))) await createScopedRole(cluster, login)
}

/**
 * Differences from the reader's privileges: tables recreated since have no grants, and tables revoked from the reader
 * must be revoked here too.
 */
async function findChangedRights(
  session: Session,
  { database }: LoginPassword,
  tables: readonly TableAddress[],
): Promise<TableAddress[]> {
  const { rows } = await session.query({
    text: `select t.schema, t.name from json_to_recordset($1::json) t(schema text, name text)
             join pg_namespace n on n.nspname = t.schema join pg_class c on c.relnamespace = n.oid and c.relname = t.name
            where (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))
               <> (has_schema_privilege($2::name, n.oid, 'usage') and has_table_privilege($2::name, c.oid, 'select'))`,
    values: [JSON.stringify(tables.map(({ schema, name }) => ({ schema, name }))), parseDatabaseNames(database).reader],
  })
  return rows.map(([schema, name]) => ({ schema: schema ?? '', name: name ?? '' }))
}
