import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import type { WorkspaceNames } from '../names.ts'
import { buildGuestLoginsQuery } from '../roles/find-logins.ts'
import { buildOwnershipStatements } from '../schemas/make-role.ts'

interface CopiedRole {
  readonly name: string
  readonly inherits: boolean
  readonly signs_in: boolean
  readonly connections: number
  readonly valid_until: string | null
  readonly verifier: string | null
  readonly comment: string | null
  readonly settings: readonly string[]
}

interface Membership {
  readonly role: string
  readonly member: string
  readonly admin: boolean
  readonly inherits: boolean
  readonly sets: boolean
}

const IS_WORKSPACE_ROLE = `(starts_with(r.rolname, $1::text || '_') or r.oid in (${buildGuestLoginsQuery('$2')}))`
/** Lists, whose elements Postgres has quoted already. */
const LIST_SETTINGS = new Set([
  'search_path',
  'temp_tablespaces',
  'local_preload_libraries',
  'session_preload_libraries',
])

/** With password verifiers, settings and comments; the target has none of these roles. */
export async function copyRoles(from: Cluster, to: Cluster, names: WorkspaceNames): Promise<string[]> {
  const roles = await readRoles(from, names)
  const memberships = await readMemberships(from, names)
  await assertNoNameClash(to, roles)
  await to.withAdmin(undefined, async (admin) => {
    await admin.query('begin')
    for (const role of roles) {
      for (const statement of buildRoleStatements(role)) await admin.query(statement)
      await copySettings(admin, role)
      for (const statement of buildOwnershipStatements(to, pg.escapeIdentifier(role.name))) await admin.query(statement)
    }
    for (const { role, member, admin: isAdmin, inherits, sets } of memberships) {
      await admin.query(
        `grant ${pg.escapeIdentifier(role)} to ${pg.escapeIdentifier(member)}
           with admin ${isAdmin}, inherit ${inherits}, set ${sets}`,
      )
    }
    await admin.query('commit')
  })
  return roles.map(({ name }) => name)
}

async function readRoles(from: Cluster, { database, guest }: WorkspaceNames): Promise<CopiedRole[]> {
  const verifier = from.isSuperuser ? '(select a.rolpassword from pg_authid a where a.oid = r.oid)' : 'null::text'
  const { rows } = await from.admin.query<CopiedRole>(
    `select r.rolname as name, r.rolinherit as inherits, r.rolcanlogin as signs_in, r.rolconnlimit as connections,
            r.rolvaliduntil::text as valid_until, ${verifier} as verifier,
            shobj_description(r.oid, 'pg_authid') as comment, coalesce(r.rolconfig, '{}') as settings
       from pg_roles r where ${IS_WORKSPACE_ROLE} order by r.rolname`,
    [database, guest],
  )
  return rows
}

async function readMemberships(from: Cluster, { database, guest }: WorkspaceNames): Promise<Membership[]> {
  const { rows } = await from.admin.query<Membership>(
    `select g.rolname as role, r.rolname as member, bool_or(m.admin_option) as admin,
            bool_or(m.inherit_option) as inherits, bool_or(m.set_option) as sets
       from pg_auth_members m join pg_roles g on g.oid = m.roleid join pg_roles r on r.oid = m.member
      where ${IS_WORKSPACE_ROLE} group by 1, 2 order by 1, 2`,
    [database, guest],
  )
  return rows
}

/** Logins for outside tools have names that people chose. */
async function assertNoNameClash(to: Cluster, roles: readonly CopiedRole[]): Promise<void> {
  const { rows } = await to.admin.query<{ rolname: string }>('select rolname from pg_roles where rolname = any($1)', [
    roles.map(({ name }) => name),
  ])
  const takenNames = rows.map(({ rolname }) => rolname)
  if (takenNames.length > 0) throw new Error(`The other cluster has logins of the same name: ${takenNames.join(', ')}.`)
}

function buildRoleStatements(role: CopiedRole): string[] {
  const name = pg.escapeIdentifier(role.name)
  const verifier = role.verifier === null ? '' : ` password ${pg.escapeLiteral(role.verifier)}`
  const validUntil = role.valid_until === null ? '' : ` valid until ${pg.escapeLiteral(role.valid_until)}`
  return [
    `create role ${name} ${role.signs_in ? 'login' : 'nologin'} ${role.inherits ? 'inherit' : 'noinherit'}
       connection limit ${role.connections}${verifier}${validUntil}`,
    ...(role.comment === null ? [] : [`comment on role ${name} is ${pg.escapeLiteral(role.comment)}`]),
  ]
}

async function copySettings(admin: pg.Client, { name, settings }: CopiedRole): Promise<void> {
  for (const setting of settings) {
    const separator = setting.indexOf('=')
    const [key, value] = [setting.slice(0, separator), setting.slice(separator + 1)]
    const assignment = `alter role ${pg.escapeIdentifier(name)} set ${key.split('.').map(pg.escapeIdentifier).join('.')}`
    if (!LIST_SETTINGS.has(key)) {
      await admin.query(`${assignment} = ${pg.escapeLiteral(value)}`)
      continue
    }
    await admin.query('savepoint list')
    await admin.query('select set_config($1, $2, true)', [key, value])
    await admin.query(`${assignment} from current`)
    await admin.query('set local search_path = pg_catalog')
  }
}
