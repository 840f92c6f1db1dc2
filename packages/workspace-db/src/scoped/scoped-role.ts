import { createHash, createHmac } from 'node:crypto'
import pg from 'pg'
import type { TableAddress } from '../catalogue/find-table.ts'
import type { Cluster } from '../cluster.ts'
import { withWorkspaceAdmin } from '../in-workspace.ts'
import { toWorkspaceNames, parseDatabaseNames } from '../names.ts'
import { computePasswordMark, buildScramVerifier, type WorkspaceCredentials } from '../provision/credentials.ts'
import { CONNECTIONS_PER_LOGIN, type LoginPassword, buildLoginSettings } from '../provision/logins.ts'
import { buildOwnershipStatements } from '../schemas/make-role.ts'

/** Unused roles would fill the catalogue. */
const MAX_SCOPED_ROLES = 64

export interface TableScope {
  readonly database: string
  readonly credentials: WorkspaceCredentials
  readonly tables: readonly TableAddress[]
}

/**
 * Named by a hash of its tables, so that different sets never share a role. Its password derives from an existing
 * secret.
 */
export function toScopedLogin({ database, credentials, tables }: TableScope): LoginPassword {
  const names = parseDatabaseNames(database)
  const tableKeys = [...new Set(tables.map(({ schema, name }) => JSON.stringify([schema, name])))].toSorted()
  const tablesHash = createHash('sha256').update(tableKeys.join('\n')).digest('hex').slice(0, 16)
  const user = `${names.database}_a_${tablesHash}`
  const password = createHmac('sha256', credentials.readOnly).update(`scoped reader ${user}`).digest('base64url')
  return { database: names.database, user, password }
}

export async function hasScopedRole(cluster: Cluster, { user }: LoginPassword): Promise<boolean> {
  const { rowCount } = await cluster.admin.query('select from pg_roles where rolname = $1 and rolcanlogin', [user])
  return rowCount === 1
}

/** Can only connect; `syncTables` grants the rest. */
export async function createScopedRole(cluster: Cluster, { database, user, password }: LoginPassword): Promise<void> {
  await withWorkspaceAdmin(cluster, parseWorkspaceKey(database), async (client, names) => {
    const { rows } = await client.query<{ rolname: string }>(
      'select rolname from pg_roles where starts_with(rolname, $1) order by oid',
      [`${names.database}_a_`],
    )
    const existingRoles = rows.map((row) => row.rolname)
    for (const unusedRole of existingRoles.filter((name) => name !== user).slice(0, -MAX_SCOPED_ROLES)) {
      await client.query(`drop owned by ${unusedRole}`)
      await client.query(`drop role ${unusedRole}`)
    }
    const attributes = `login noinherit connection limit ${CONNECTIONS_PER_LOGIN} password '${buildScramVerifier(password)}'`
    await client.query(`${existingRoles.includes(user) ? 'alter' : 'create'} role ${user} ${attributes}`)
    for (const statement of buildOwnershipStatements(cluster, user)) await client.query(statement)
    await client.query(`comment on role ${user} is '${computePasswordMark(password)}'`)
    await client.query(`grant connect on database ${names.database} to ${user}`)
    if (cluster.isSuperuser) {
      await client.query(`grant pg_use_reserved_connections to ${user} with inherit true, set false`)
    }
    for (const statement of buildLoginSettings(cluster, user)) await client.query(statement)
  })
}

/** Never more than the workspace's reader has. */
export async function syncTableGrants(
  cluster: Cluster,
  { database, user }: LoginPassword,
  tables: readonly TableAddress[],
): Promise<void> {
  await withWorkspaceAdmin(cluster, parseWorkspaceKey(database), async (client, names) => {
    for (const { schema, name } of tables) {
      const { rows } = await client.query<{ isReadable: boolean }>(
        `select has_table_privilege($3::name, c.oid, 'select') and has_schema_privilege($3::name, n.oid, 'usage') as "isReadable"
           from pg_class c join pg_namespace n on n.oid = c.relnamespace
          where n.nspname = $1::text and c.relname = $2::text and n.nspname !~* '^(pg_|trellis|information_schema$)'`,
        [schema, name, names.reader],
      )
      if (!rows[0]) continue
      const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`
      if (rows[0].isReadable) {
        await client.query(`grant usage on schema ${pg.escapeIdentifier(schema)} to ${user}`)
        await client.query(`grant select on ${table} to ${user}`)
      } else {
        await client.query(`revoke select on ${table} from ${user}`)
      }
    }
  })
}

const parseWorkspaceKey = (database: string) => {
  const key = database.slice(2)
  return toWorkspaceNames(key).database === database ? key : ''
}
