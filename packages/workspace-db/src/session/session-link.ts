import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresClient } from '@trellis/postgres-client/client'
import pg from 'pg'
import type { Cluster, SessionServer } from '../cluster.ts'
import { toWorkspaceDbError } from '../errors.ts'
import { endExcessSessions } from '../roles/external-sessions.ts'
import { raiseConnectionLimits, repairPassword, restoreLogin, type LoginPassword } from '../provision/logins.ts'
import { readWriteAccess, type WriteAccess } from '../watch/stop-writes.ts'
import type { OwnLink, SessionLink } from './link-types.ts'
import type { Signal } from './outside-timer.ts'
import { createReadSocket } from './read-socket.ts'
import type { SpareKey } from './spare-links.ts'

interface ClientInside {
  readonly processID: number
  readonly connection: { readonly stream: Socket }
}

const GOODBYE_MS = 1_000
const GONE_MS = 5_000
const GONE_EVERY_MS = 25
/** Backoff, as all sessions share a few administrator connections. */
const MAX_GONE_EVERY_MS = 400
const PASSWORD_REFUSED = '28P01'
const TOO_MANY_CONNECTIONS = '53300'
const CONNECT_TRIES = 4

/** Checks the login too, since the pid may be reused. */
async function signalBackend(server: SessionServer, { pid, user }: Pick<OwnLink, 'pid' | 'user'>, signal: Signal) {
  const text = `select ${signal}(pid) from pg_stat_activity where pid = $1 and usename = $2`
  await server.admin.query(text, [pid, user])
}

export function createLink(client: pg.Client, signal: (signal: Signal, pid: number) => Promise<void>): SessionLink {
  const { processID, connection } = client as unknown as ClientInside
  const link: SessionLink = {
    client,
    pid: processID,
    stream: connection.stream,
    isRunning: false,
    isCut: false,
    signal: (kind) => signal(kind, processID),
    cut() {
      link.isCut = true
      link.stream.destroy()
    },
  }
  return link
}

const createStream = ({ ssl = false }: { ssl?: unknown } = {}) => (ssl ? new Socket() : createReadSocket())

async function tryConnect(server: SessionServer, login: LoginPassword, options: string): Promise<OwnLink> {
  const client = new PostgresClient({ ...server.loginConfig(login), options, stream: createStream })
  // Without a listener an idle disconnect would crash the process.
  client.on('error', () => undefined)
  const leave = await server.connecting.enter(login.database)
  try {
    await client.connect()
  } finally {
    leave()
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
async function openLink(cluster: Cluster, login: LoginPassword, options: string): Promise<OwnLink> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryConnect(cluster, login, options)
    } catch (error) {
      if (tries === CONNECT_TRIES || !(await canTryAgain(cluster, login, error))) throw toWorkspaceDbError(error)
    }
  }
}

export async function openSpare(cluster: Cluster, { login, options }: SpareKey): Promise<OwnLink> {
  const link = await openLink(cluster, login, options)
  await readWriteAccess(link.client).catch(() => link.cut())
  return link
}

export interface OpenedLink {
  readonly link: OwnLink
  readonly standing?: WriteAccess
  readonly isOnReplica: boolean
  readonly close: () => Promise<void>
}

export async function openUnusedLink(cluster: Cluster, key: SpareKey): Promise<OpenedLink> {
  const toOpened = (link: OwnLink) => ({ link, isOnReplica: false, close: () => closeLink(cluster, link, key.login) })
  const spare = await cluster.spares.take(key)
  const writeAccess = spare && (await readWriteAccess(spare.client).catch(() => undefined))
  if (spare && writeAccess?.canConnect) return { ...toOpened(spare), standing: writeAccess }
  spare?.cut()
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
  if (error.code === PASSWORD_REFUSED) return await repairPassword(cluster, login)
  if (error.code !== TOO_MANY_CONNECTIONS) return false
  // Concurrent processes may conflict; the limit is raised either way.
  const isRaised = await raiseConnectionLimits(cluster, login.database).catch(() => true)
  return isRaised || (await endExcessSessions(cluster, login.database)) > 0
}

/** Terminates and waits: a statement that commits late would leave what the caller has cleaned up. */
async function endBackend(server: SessionServer, link: OwnLink): Promise<void> {
  await signalBackend(server, link, 'pg_terminate_backend')
  const text = 'select from pg_stat_activity where pid = $1 and usename = $2'
  const giveUpAt = performance.now() + GONE_MS
  for (let pause = GONE_EVERY_MS; performance.now() < giveUpAt; pause = Math.min(pause * 2, MAX_GONE_EVERY_MS)) {
    const { rowCount } = await server.admin.query(text, [link.pid, link.user])
    if (rowCount === 0) return
    await sleep(pause)
  }
}

async function closeLink(cluster: Cluster, link: OwnLink, login: LoginPassword): Promise<void> {
  await endLink(cluster, link)
  try {
    if (await restoreLogin(cluster, login)) cluster.spares.drop(login.user)
  } catch {
    // The login is repaired after the next session.
  }
}

async function endLink(server: SessionServer, link: OwnLink): Promise<void> {
  const isAdrift = link.isRunning || link.isCut
  const timer = setTimeout(() => link.stream.destroy(), GOODBYE_MS)
  try {
    await link.client.end()
    if (isAdrift) await endBackend(server, link)
  } catch {
    // The outcome is known.
  } finally {
    clearTimeout(timer)
  }
}
