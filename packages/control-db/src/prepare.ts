import { randomBytes } from 'node:crypto'
import { editAddress } from '@trellis/postgres-client/address'
import pg from 'pg'
import { withClient } from './connect.ts'
import { migrate } from './migrate.ts'

const OWNER = 'trellis_owner'
const APP = 'trellis_app'

export interface PreparedControlDb {
  ownerUrl: string
  /** Login of API and workers, without rights to change tables or the audit trail. */
  appUrl: string
}

/** Passwords change at every start, so that a surviving old process cannot reconnect. */
export async function prepareControlDb(options: {
  adminUrl: string
  database?: string
  /** For a cluster in use by other processes, which a new password would lock out. */
  appPassword?: string
}): Promise<PreparedControlDb> {
  const { adminUrl, database = 'trellis', appPassword = randomBytes(24).toString('hex') } = options
  const owner = { role: OWNER, password: randomBytes(24).toString('hex') }
  const app = { role: APP, password: appPassword }
  await withClient(asPreparer(adminUrl), async (client) => {
    for (const { role, password } of [owner, app]) await setLogin(client, role, password)
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)} owner ${OWNER}`)
    await client.query(`revoke all on database ${pg.escapeIdentifier(database)} from public`)
    // External connections must not take the platform's last ones.
    await client.query(`grant pg_use_reserved_connections to ${APP}, ${OWNER} with inherit true, set false`)
  })
  await withClient(asPreparer(withDatabase(adminUrl, database)), prepareSchema)
  const ownerUrl = withLogin(withDatabase(adminUrl, database), owner.role, owner.password)
  const appUrl = withLogin(withDatabase(adminUrl, database), app.role, app.password)
  await upgradeControlDb({ ownerUrl, appRole: APP })
  return { ownerUrl, appUrl }
}

export async function upgradeControlDb({
  ownerUrl,
  appRole,
}: {
  ownerUrl: string
  appRole: string
}): Promise<string[]> {
  const { applied } = await migrate(ownerUrl)
  await withClient(asPreparer(ownerUrl), async (client) => {
    const { rows } = await client.query<{ owner: string; database: string }>(
      'select current_user::text as owner, current_database()::text as database',
    )
    const { owner, database = '' } = rows[0] ?? {}
    if (owner === appRole) return
    const app = pg.escapeIdentifier(appRole)
    // The database of a workspaces cluster has no public CONNECT.
    await client.query(`grant connect on database ${pg.escapeIdentifier(database)} to ${app}`)
    await grantToApp(client, app)
  })
  return applied
}

const asPreparer = (url: string) => ({ connectionString: url, application_name: 'trellis-prepare' })

async function setLogin(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role])
  if (rowCount === 0) await client.query(`create role ${role} login nosuperuser nocreatedb nocreaterole`)
  await client.query(`alter role ${role} password ${pg.escapeLiteral(password)}`)
}

async function prepareSchema(client: pg.Client): Promise<void> {
  await client.query(`alter schema public owner to ${OWNER}`)
  await client.query('revoke all on schema public from public')
}

/** The owner could drop the audit triggers, so the application is not the owner. */
async function grantToApp(client: pg.Client, app: string): Promise<void> {
  await client.query(`grant usage on schema public to ${app}`)
  await client.query(`grant select, insert, update, delete on all tables in schema public to ${app}`)
  await client.query(`grant usage on all sequences in schema public to ${app}`)
  await client.query(`grant usage on schema jobs to ${app}`)
  await client.query(`grant select, insert, update, delete on all tables in schema jobs to ${app}`)
  await client.query(`revoke update, delete, truncate on audit_lines from ${app}`)
  await client.query(`revoke all on audit_heads, schema_migrations from ${app}`)
  await client.query(`grant select on schema_migrations to ${app}`)
}

export function withDatabase(url: string, database: string): string {
  return editAddress(url, (copy) => {
    copy.pathname = `/${encodeURIComponent(database)}`
  })
}

function withLogin(url: string, role: string, password: string): string {
  return editAddress(url, (copy) => {
    copy.username = role
    copy.password = password
  })
}
