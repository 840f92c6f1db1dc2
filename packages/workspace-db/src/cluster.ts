import pg from 'pg'
import { createGate, type Gate, type GateLimits } from './session/gate.ts'
import { hardenCluster } from './harden-cluster.ts'
import { createSpareLinks, type SpareLinks } from './session/spare-links.ts'

interface Login {
  readonly database: string
  readonly user: string
  readonly password: string
}

/** An open way into one Postgres cluster, with the rights to make and remove workspaces on it. */
export interface Cluster {
  /** A few connections for short questions only: the outside timers depend on one being free. */
  readonly admin: pg.Pool
  readonly isSuperuser: boolean
  /** The file whose lines decide who may connect from where; none on a server that is not ours to set. */
  readonly firewallFile: string | null
  readonly gate: Gate
  /** For the time it takes to connect, which is mostly work of the server's processors. */
  readonly connecting: Gate
  readonly spares: SpareLinks
  /** Sessions that runs of one workspace may have over all processes; whoever starts runs counts them. */
  readonly runSessions: number
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
  readonly runSessions?: number
}

/** COPY has REJECT_LIMIT from there on. */
export const MIN_MAJOR_VERSION = 18
const CONNECT_MS = 10_000
const SESSIONS: GateLimits = { perWorkspace: 4, total: 60, reserved: 60, waiting: 100, waitMs: 15_000 }
const RUN_SESSIONS = 24
// Starting a session costs more than most statements: a crowd that starts as many at once as it may have slows everybody.
const CONNECTING: GateLimits = { perWorkspace: 2, total: 8, reserved: 8, waiting: 1_000, waitMs: CONNECT_MS }
// The administrator never looks into a schema of a workspace: a function there with a familiar name would run as it.
// Where writes are stopped for want of space, the administrator still deletes what people no longer need.
const ADMIN_OPTIONS = '-c search_path=pg_catalog -c default_transaction_read_only=off'
// What an address says wins over what the driver is told apart from it.
const NEVER_FROM_ADDRESS = ['options', 'application_name']
const NOT_FOR_LOGINS = ['user', 'password', 'dbname']

function parseAdminUrl(adminUrl: string): URL {
  const url = new URL(adminUrl)
  // Without a host in it, an address silently keeps no user either.
  if (url.hostname === '') throw new Error('The address of the database administrator must name a host.')
  for (const name of NEVER_FROM_ADDRESS) url.searchParams.delete(name)
  return url
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

async function readServer(client: pg.Client): Promise<Pick<Cluster, 'isSuperuser' | 'firewallFile'>> {
  const { rows } = await client.query<{
    version: number
    super: boolean
    roles: boolean
    databases: boolean
    firewall: string | null
  }>(
    `select current_setting('server_version_num')::int as version, rolsuper as super,
            rolcreaterole as roles, rolcreatedb as databases,
            case when rolsuper and current_setting('trellis.firewall', true) <> ''
              then current_setting('data_directory') || '/' || current_setting('trellis.firewall', true) end as firewall
       from pg_roles where rolname = current_user`,
  )
  const server = rows[0]
  if (!server || server.version < MIN_MAJOR_VERSION * 10_000) {
    throw new Error(`Workspaces need PostgreSQL ${MIN_MAJOR_VERSION} or newer.`)
  }
  if (!server.super && !(server.roles && server.databases)) {
    throw new Error('The database administrator needs the rights CREATEDB and CREATEROLE.')
  }
  return { isSuperuser: server.super, firewallFile: server.firewall }
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const base = {
    connectionString: parseAdminUrl(options.adminUrl).href,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'trellis',
    options: ADMIN_OPTIONS,
  }
  const { isSuperuser, firewallFile } = await connected(base, async (client) => {
    const server = await readServer(client)
    await hardenCluster(client, ['postgres', 'template1', ...(options.closeDatabases ?? [])])
    return server
  })
  const admin = new pg.Pool({ ...base, max: 3, idleTimeoutMillis: 30_000 })
  admin.on('error', () => undefined)
  admin.on('connect', (client) => client.on('error', () => undefined))
  const spares = createSpareLinks()
  return {
    admin,
    isSuperuser,
    firewallFile,
    gate: createGate({ ...SESSIONS, ...options.sessions }),
    connecting: createGate(CONNECTING),
    spares,
    runSessions: options.runSessions ?? RUN_SESSIONS,
    seenVerifiers: new Map(),
    loginConfig({ database, user, password }) {
      const url = Object.assign(parseAdminUrl(options.adminUrl), { username: user, password, pathname: `/${database}` })
      for (const name of NOT_FOR_LOGINS) url.searchParams.delete(name)
      return {
        connectionString: url.href,
        connectionTimeoutMillis: CONNECT_MS,
        application_name: 'trellis session',
      }
    },
    withAdmin(database, work) {
      if (database === undefined) return connected(base, work)
      const url = Object.assign(parseAdminUrl(options.adminUrl), { pathname: `/${encodeURIComponent(database)}` })
      url.searchParams.delete('dbname')
      return connected({ ...base, connectionString: url.href }, work)
    },
    close: async () => {
      await spares.close()
      await admin.end()
    },
  }
}
