import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresClient } from '@trellis/postgres-client/client'
import pg from 'pg'
import type { Cluster, SessionServer } from '../cluster.ts'
import { toWorkspaceDbError } from '../errors.ts'
import { endExcessSessions } from '../roles/external-sessions.ts'
import { raiseConnectionLimits, repairPassword, restoreLogin, type LoginPassword } from '../provision/logins.ts'
import { readWriteAccess, type WriteAccess } from '../watch/stop-writes.ts'
import type { LoginConnection, SessionConnection } from './connection-types.ts'
import type { Signal } from './statement-timer.ts'
import { createReadSocket } from './read-socket.ts'
import type { SpareKey } from './spare-connections.ts'
import { SQL_STATE } from '../sql-state.ts'

interface ClientInside {
  readonly processID: number
  readonly connection: { readonly stream: Socket }
}

const CLOSE_TIMEOUT_MS = 1_000
const BACKEND_END_TIMEOUT_MS = 5_000
const BACKEND_POLL_MS = 25
/** Backoff, as all sessions share a few administrator connections. */
const MAX_BACKEND_POLL_MS = 400
const MAX_CONNECT_TRIES = 4

/** Checks the login too, since the pid may be reused. */
async function signalBackend(
  server: SessionServer,
  { pid, user }: Pick<LoginConnection, 'pid' | 'user'>,
  signal: Signal,
) {
  const text = `select ${signal}(pid) from pg_stat_activity where pid = $1 and usename = $2`
  await server.admin.query(text, [pid, user])
}

export function createLink(
  client: pg.Client,
  signal: (signal: Signal, pid: number) => Promise<void>,
): SessionConnection {
  const { processID, connection } = client as unknown as ClientInside
  const link: SessionConnection = {
    client,
    pid: processID,
    stream: connection.stream,
    isRunning: false,
    isSocketDestroyed: false,
    signal: (kind) => signal(kind, processID),
    destroySocket() {
      link.isSocketDestroyed = true
      link.stream.destroy()
    },
  }
  return link
}

const createStream = ({ ssl = false }: { ssl?: unknown } = {}) => (ssl ? new Socket() : createReadSocket())

async function tryConnect(server: SessionServer, login: LoginPassword, options: string): Promise<LoginConnection> {
  const client = new PostgresClient({ ...server.loginConfig(login), options, stream: createStream })
  // Without a listener an idle disconnect would crash the process.
  client.on('error', () => undefined)
  const releaseTurn = await server.connecting.enter(login.database)
  try {
    await client.connect()
  } finally {
    releaseTurn()
  }
  const { user } = login
  return Object.assign(
    createLink(client, (signal, pid) => signalBackend(server, { pid, user }, signal)),
    { user },
  )
}

/**
 * Repairs a changed password and retries. If external clients took the reserved connections, terminates those; retries
 * a few times, as they may reconnect.
 */
async function openLink(cluster: Cluster, login: LoginPassword, options: string): Promise<LoginConnection> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryConnect(cluster, login, options)
    } catch (error) {
      if (tries === MAX_CONNECT_TRIES || !(await canTryAgain(cluster, login, error))) throw toWorkspaceDbError(error)
    }
  }
}

export async function openSpare(cluster: Cluster, { login, options }: SpareKey): Promise<LoginConnection> {
  const link = await openLink(cluster, login, options)
  await readWriteAccess(link.client).catch(() => link.destroySocket())
  return link
}

export interface OpenedLink {
  readonly link: LoginConnection
  readonly writeAccess?: WriteAccess
  readonly isOnReplica: boolean
  readonly close: () => Promise<void>
}

export async function openUnusedLink(cluster: Cluster, key: SpareKey): Promise<OpenedLink> {
  const toOpened = (link: LoginConnection) => ({
    link,
    isOnReplica: false,
    close: () => closeLink(cluster, link, key.login),
  })
  const spare = await cluster.spares.take(key)
  const writeAccess = spare && (await readWriteAccess(spare.client).catch(() => undefined))
  if (spare && writeAccess?.canConnect) return { ...toOpened(spare), writeAccess }
  spare?.destroySocket()
  return toOpened(await openLink(cluster, key.login, key.options))
}

/** A replica has no rows of them. */
const HAS_UNLOGGED = `select from pg_catalog.pg_class
  where relpersistence = 'u' and relnamespace::pg_catalog.regnamespace::text !~ '^trellis' limit 1`

/** Null when there is none, it is behind, or does not let the login in: the primary says why. */
export async function openReplicaLink({ replica }: Cluster, { login, options }: SpareKey): Promise<OpenedLink | null> {
  const server = await replica?.find()
  if (!server) return null
  try {
    const link = await tryConnect(server, login, options)
    const close = () => endLink(server, link)
    const unlogged = await link.client.query(HAS_UNLOGGED)
    if (unlogged.rowCount === 0) return { link, isOnReplica: true, close }
    await close()
    return null
  } catch {
    replica?.avoid()
    return null
  }
}

async function canTryAgain(cluster: Cluster, login: LoginPassword, error: unknown): Promise<boolean> {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code === SQL_STATE.INVALID_PASSWORD) return await repairPassword(cluster, login)
  if (error.code !== SQL_STATE.TOO_MANY_CONNECTIONS) return false
  // Concurrent processes may conflict; the limit is raised either way.
  const isRaised = await raiseConnectionLimits(cluster, login.database).catch(() => true)
  return isRaised || (await endExcessSessions(cluster, login.database)) > 0
}

/** Terminates and waits: a statement that commits late would leave what the caller has cleaned up. */
async function endBackend(server: SessionServer, link: LoginConnection): Promise<void> {
  await signalBackend(server, link, 'pg_terminate_backend')
  const text = 'select from pg_stat_activity where pid = $1 and usename = $2'
  const giveUpAt = performance.now() + BACKEND_END_TIMEOUT_MS
  for (let pollMs = BACKEND_POLL_MS; performance.now() < giveUpAt; pollMs = Math.min(pollMs * 2, MAX_BACKEND_POLL_MS)) {
    const { rowCount } = await server.admin.query(text, [link.pid, link.user])
    if (rowCount === 0) return
    await sleep(pollMs)
  }
}

async function closeLink(cluster: Cluster, link: LoginConnection, login: LoginPassword): Promise<void> {
  await endLink(cluster, link)
  try {
    if (await restoreLogin(cluster, login)) cluster.spares.drop(login.user)
  } catch {
    // The login is repaired after the next session.
  }
}

async function endLink(server: SessionServer, link: LoginConnection): Promise<void> {
  const isBackendUncertain = link.isRunning || link.isSocketDestroyed
  const timer = setTimeout(() => link.stream.destroy(), CLOSE_TIMEOUT_MS)
  try {
    await link.client.end()
    if (isBackendUncertain) await endBackend(server, link)
  } catch {
    // The outcome is known.
  } finally {
    clearTimeout(timer)
  }
}
