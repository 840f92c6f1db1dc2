import pg from 'pg'
import { PostgresClient } from '@trellis/postgres-client/client'
import type { Cluster } from '../cluster.ts'
import type { WorkspaceNames } from '../names.ts'
import { generatePassword, buildScramVerifier } from '../provision/credentials.ts'
import { buildOwnershipStatements } from '../schemas/make-role.ts'

const MAX_MOVER_CONNECTIONS = 4
const SESSION_OPTIONS = [
  'search_path=',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
  'check_function_bodies=off',
  'row_security=off',
  'client_min_messages=warning',
  'timezone=UTC',
  'datestyle=ISO',
]

const toMoverName = ({ database }: WorkspaceNames) => `${database}_mover`

interface MoverTarget {
  readonly cluster: Cluster
  readonly names: WorkspaceNames
  /** Owners of what is moved. */
  readonly owners: readonly string[]
  readonly isTarget: boolean
}

/** A login with the rights of the workspace's owners alone, since copying runs what people wrote. */
export async function createMover({ cluster, names, owners, isTarget }: MoverTarget): Promise<pg.ClientConfig> {
  const [user, password] = [toMoverName(names), generatePassword()]
  await dropMover(cluster, names)
  await cluster.withAdmin(names.database, async (client) => {
    await client.query('begin')
    await client.query(
      `create role ${user} login inherit connection limit ${MAX_MOVER_CONNECTIONS} password '${buildScramVerifier(password)}'`,
    )
    for (const statement of buildOwnershipStatements(cluster, user)) await client.query(statement)
    await client.query(`grant connect on database ${names.database} to ${user}`)
    for (const owner of owners) {
      await client.query(`grant ${pg.escapeIdentifier(owner)} to ${user} with inherit true, set true`)
    }
    if (!isTarget) await grantSchemaAccess(client, user)
    await client.query('commit')
  })
  const readOnlySetting = isTarget ? 'off' : 'on'
  const options = [...SESSION_OPTIONS, `default_transaction_read_only=${readOnlySetting}`]
    .map((option) => `-c ${option}`)
    .join(' ')
  return {
    ...cluster.loginConfig({ database: names.database, user, password }),
    application_name: 'trellis move',
    options,
  }
}

/** Also those in which only the administrator makes tables. */
async function grantSchemaAccess(client: pg.Client, user: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(nspname) as name from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'",
  )
  for (const { name } of rows) await client.query(`grant usage, create on schema ${name} to ${user}`)
}

export const grantMoverAccess = async (client: pg.Client, names: WorkspaceNames): Promise<void> =>
  await grantSchemaAccess(client, toMoverName(names))

export async function dropMover(cluster: Cluster, names: WorkspaceNames): Promise<void> {
  const user = toMoverName(names)
  const { rowCount } = await cluster.admin.query('select from pg_roles where rolname = $1', [user])
  if (rowCount === 0) return
  await cluster.admin.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [user])
  await cluster.withAdmin(names.database, async (client) => void (await client.query(`drop owned by ${user}`)))
  await cluster.admin.query(`drop role ${user}`)
}

export async function listOwners(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct r.rolname as name from pg_roles r
      where not r.rolsuper and r.rolname <> current_user and r.rolname !~ '^pg_' and r.oid in (
        select relowner from pg_class union select proowner from pg_proc union select typowner from pg_type
         union select nspowner from pg_namespace union select oprowner from pg_operator
         union select collowner from pg_collation union select stxowner from pg_statistic_ext
         union select dictowner from pg_ts_dict union select cfgowner from pg_ts_config
         union select conowner from pg_conversion)`,
  )
  return rows.map(({ name }) => name)
}

export async function withMovers<T>(
  configs: readonly pg.ClientConfig[],
  work: (clients: pg.Client[]) => Promise<T>,
): Promise<T> {
  const clients = configs.map((config) => new PostgresClient(config))
  try {
    for (const client of clients) {
      client.on('error', () => undefined)
      await client.connect()
    }
    return await work(clients)
  } finally {
    for (const client of clients) await client.end().catch(() => undefined)
  }
}
