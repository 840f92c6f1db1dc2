import type { Cluster } from '../cluster.ts'
import { toWorkspaceNames } from '../names.ts'
import { EXTERNAL } from './access-names.ts'
import { toRotatedName } from './login-names.ts'

/** A non-superuser administrator is a member of every role it created. */
const IS_EXTERNAL_LOGIN = `not member.rolsuper and member.rolname <> current_user
     and exists (select from pg_auth_members e join pg_roles external on external.oid = e.roleid
                  where e.member = member.oid and external.rolname = '${EXTERNAL}')`

/** External logins are identified by membership, not by name. */
export const buildGuestLoginsQuery = (parameter: string): string => `
  select member.oid from pg_auth_members m join pg_roles member on member.oid = m.member
    join pg_roles guest on guest.oid = m.roleid
   where guest.rolname = ${parameter} and ${IS_EXTERNAL_LOGIN}`

export async function listLogins(cluster: Cluster, { key }: { key: string }): Promise<string[]> {
  const { rows } = await cluster.admin.query<{ name: string }>(
    `select rolname as name from pg_roles where oid in (${buildGuestLoginsQuery('$1')})`,
    [toWorkspaceNames(key).guest],
  )
  return rows.map((row) => row.name)
}

export async function listAllLogins(cluster: Cluster): Promise<ReadonlyMap<string, string[]>> {
  const { rows } = await cluster.admin.query<{ name: string; database: string }>(
    `select member.rolname as name, substr(guest.rolname, 1, 18) as database
       from pg_auth_members m join pg_roles member on member.oid = m.member join pg_roles guest on guest.oid = m.roleid
      where guest.rolname ~ '^w_[0-9a-f]{16}_guest$' and ${IS_EXTERNAL_LOGIN}`,
  )
  const loginsByDatabase = new Map<string, string[]>()
  for (const { name, database } of rows)
    loginsByDatabase.set(database, [...(loginsByDatabase.get(database) ?? []), name])
  return loginsByDatabase
}

export async function findTakenNames(cluster: Cluster, names: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await cluster.admin.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [names.flatMap((name) => [name, toRotatedName(name)])],
  )
  const existingRoles = new Set(rows.map((row) => row.rolname))
  return new Set(names.filter((name) => existingRoles.has(name) || existingRoles.has(toRotatedName(name))))
}
