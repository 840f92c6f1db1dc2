import pg from 'pg'
import { createGate, type Gate, type GateLimits } from './session/gate.ts'
import { hardenCluster } from './harden-cluster.ts'

export interface Login {
  readonly database: string
  readonly user: string
  readonly password: string
}

/** An open way into one Postgres cluster, with the rights to make and remove workspaces on it. */
export interface Cluster {
  /** A few connections for short questions only: the outside timers depend on one being free. */
  readonly admin: pg.Pool
  readonly isSuperuser: boolean
  readonly gate: Gate
  readonly seenVerifiers: Map<string, string>
  /** Where a login connects: same server, other person. */
  loginConfig(login: Login): pg.ClientConfig
  /** An own connection as the administrator, for work that may take long or wait. */
  withAdmin<T>(database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ClusterOptions {
  readonly adminUrl: string
  /** Databases besides `postgres` and `template1` that no workspace login may connect to. */
  readonly closeDatabases?: readonly string[]
  readonly sessions?: Partial<GateLimits>
}

const OLDEST_VERSION = 160_000
const CONNECT_MS = 10_000
const SESSIONS: GateLimits = { perWorkspace: 6, total: 80, waiting: 30, waitMs: 15_000 }
// The administrator never looks into a schema of a workspace: a function there with a familiar name would run as it.
const ADMIN_OPTIONS = '-c search_path=pg_catalog'
// These would overrule the person and the limits given by us.
const OWN_PARAMETERS = ['user', 'password', 'dbname', 'options', 'application_name']

function addressFor(adminUrl: string, change: (url: URL) => void): string {
  const url = new URL(adminUrl)
  for (const name of OWN_PARAMETERS) url.searchParams.delete(name)
  change(url)
  return url.href
}

async function connected<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  // Without a listener a connection cut while idle would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readServer(client: pg.Client): Promise<{ isSuperuser: boolean }> {
  const { rows } = await client.query<{ version: number; super: boolean; roles: boolean; databases: boolean }>(
    `select current_setting('server_version_num')::int as version, rolsuper as super,
            rolcreaterole as roles, rolcreatedb as databases
       from pg_roles where rolname = current_user`,
  )
  const server = rows[0]
  if (!server || server.version < OLDEST_VERSION) throw new Error('Workspaces need PostgreSQL 16 or newer.')
  if (!server.super && !(server.roles && server.databases)) {
    throw new Error('The database administrator needs the rights CREATEDB and CREATEROLE.')
  }
  return { isSuperuser: server.super }
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const connectionString = addressFor(options.adminUrl, () => undefined)
  const base = {
    connectionString,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'trellis',
    options: ADMIN_OPTIONS,
  }
  const { isSuperuser } = await connected(base, async (client) => {
    const server = await readServer(client)
    await hardenCluster(client, ['postgres', 'template1', ...(options.closeDatabases ?? [])])
    return server
  })
  const admin = new pg.Pool({ ...base, max: 3, idleTimeoutMillis: 30_000 })
  admin.on('error', () => undefined)
  return {
    admin,
    isSuperuser,
    gate: createGate({ ...SESSIONS, ...options.sessions }),
    seenVerifiers: new Map(),
    loginConfig({ database, user, password }) {
      const change = (url: URL) => Object.assign(url, { username: user, password, pathname: `/${database}` })
      return {
        connectionString: addressFor(options.adminUrl, change),
        connectionTimeoutMillis: CONNECT_MS,
        application_name: 'trellis session',
      }
    },
    withAdmin(database, work) {
      if (database === undefined) return connected(base, work)
      const change = (url: URL) => Object.assign(url, { pathname: `/${encodeURIComponent(database)}` })
      return connected({ ...base, connectionString: addressFor(options.adminUrl, change) }, work)
    },
    close: () => admin.end(),
  }
}
