import { editAddress, readAddress } from '@trellis/postgres-client/address'
import { type ClientConfig, PostgresClient } from '@trellis/postgres-client/client'
import pg from 'pg'
import { createGate, type Gate, type GateLimits } from './session/gate.ts'
import { hardenCluster } from './harden-cluster.ts'
import { type Replica, createReplica } from './replica.ts'
import { createSpareConnections, type SpareConnections } from './session/spare-connections.ts'

interface Login {
  readonly database: string
  readonly user: string
  readonly password: string
}

/** What a session needs of the machine that it is opened on. */
export interface SessionServer {
  /** A few connections for short statements: timeouts depend on one being free. */
  readonly admin: pg.Pool
  /** Limits concurrent connects, which cost CPU on the server. */
  readonly connecting: Gate
  loginConfig(login: Login): ClientConfig
}

export interface Cluster extends SessionServer {
  readonly isSuperuser: boolean
  /** pg_hba include file; null on an external server. */
  readonly firewallFile: string | null
  readonly gate: Gate
  readonly replica: Replica<SessionServer> | null
  readonly spares: SpareConnections
  /** Over all processes; counted when runs are claimed. */
  readonly runSessions: number
  readonly seenVerifiers: Map<string, string>
  adminConfig(database: string): pg.ClientConfig
  /** An administrator connection for long-running work. */
  withAdmin<T>(database: string | undefined, work: (client: pg.Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface ClusterOptions {
  readonly adminUrl: string
  /** A server that follows this one, for sessions that only read. */
  readonly replicaUrl?: string
  readonly closeDatabases?: readonly string[]
  readonly sessions?: Partial<GateLimits>
  readonly runSessions?: number
}

export const MIN_MAJOR_VERSION = 18
const CONNECT_TIMEOUT_MS = 10_000
const DEFAULT_SESSION_LIMITS: GateLimits = { perWorkspace: 4, total: 60, reserved: 60, waiting: 100, waitMs: 15_000 }
const DEFAULT_RUN_SESSIONS = 24
// Connecting costs more than most statements: too many at once slow down everyone.
const CONNECT_LIMITS: GateLimits = {
  perWorkspace: 2,
  total: 8,
  reserved: 8,
  waiting: 1_000,
  waitMs: CONNECT_TIMEOUT_MS,
}
// The administrator's search path has no workspace schema, whose functions would run as superuser. Writes stay enabled,
// so that data can be deleted when the disk is full.
const ADMIN_OPTIONS = '-c search_path=pg_catalog -c default_transaction_read_only=off'
// The connection URL would take precedence over options passed separately.
const IGNORED_URL_PARAMETERS = ['options', 'application_name']
const ADMIN_URL_PARAMETERS = ['user', 'password', 'dbname']

function editAdminUrl(adminUrl: string, edit: (url: URL) => void = () => undefined): string {
  // Without a host, the driver silently drops the user too.
  if (readAddress(adminUrl).hosts[0]?.host === '') {
    throw new Error('The address of the database administrator must name a host.')
  }
  return editAddress(adminUrl, (url) => {
    for (const name of IGNORED_URL_PARAMETERS) url.searchParams.delete(name)
    edit(url)
  })
}

async function withConnection<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new PostgresClient(config)
  // Without a listener an idle disconnect would crash the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function readServerRights(client: pg.Client): Promise<Pick<Cluster, 'isSuperuser' | 'firewallFile'>> {
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

const toAdminConfig = (url: string): ClientConfig => ({
  connectionString: editAdminUrl(url),
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  application_name: 'trellis',
  options: ADMIN_OPTIONS,
})

function openServer(adminConfig: ClientConfig, url: string): SessionServer {
  const admin = new pg.Pool({ ...adminConfig, Client: PostgresClient, max: 3, idleTimeoutMillis: 30_000 })
  admin.on('error', () => undefined)
  admin.on('connect', (client) => client.on('error', () => undefined))
  const { isReplica = false } = adminConfig
  return {
    admin,
    connecting: createGate(CONNECT_LIMITS),
    loginConfig: ({ database, user, password }) => ({
      connectionString: editAdminUrl(url, (address) => {
        Object.assign(address, { username: user, password, pathname: `/${database}` })
        for (const name of ADMIN_URL_PARAMETERS) address.searchParams.delete(name)
      }),
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      application_name: 'trellis session',
      isReplica,
    }),
  }
}

function openReplica(url: string, primary: pg.Pool): Replica<SessionServer> {
  const server = openServer({ ...toAdminConfig(url), isReplica: true }, url)
  return createReplica({ server, primary, close: () => server.admin.end() })
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const baseConfig = toAdminConfig(options.adminUrl)
  const { isSuperuser, firewallFile } = await withConnection(baseConfig, async (client) => {
    const server = await readServerRights(client)
    await hardenCluster(client, ['postgres', 'template1', ...(options.closeDatabases ?? [])])
    return server
  })
  const server = openServer(baseConfig, options.adminUrl)
  const { admin } = server
  const replica = options.replicaUrl === undefined ? null : openReplica(options.replicaUrl, admin)
  const spares = createSpareConnections()
  const toDatabaseConfig = (database: string) => ({
    ...baseConfig,
    connectionString: editAdminUrl(options.adminUrl, (url) => {
      url.pathname = `/${encodeURIComponent(database)}`
      url.searchParams.delete('dbname')
    }),
  })
  return {
    ...server,
    isSuperuser,
    firewallFile,
    gate: createGate({ ...DEFAULT_SESSION_LIMITS, ...options.sessions }),
    replica,
    spares,
    runSessions: options.runSessions ?? DEFAULT_RUN_SESSIONS,
    seenVerifiers: new Map(),
    adminConfig: toDatabaseConfig,
    withAdmin(database, work) {
      return withConnection(database === undefined ? baseConfig : toDatabaseConfig(database), work)
    },
    close: async () => {
      await spares.close()
      await replica?.close()
      await admin.end()
    },
  }
}
