import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceDbError } from '../errors.ts'
import { endExcessSessions } from '../roles/external-sessions.ts'
import { raiseConnectionLimits, repairPassword, restoreLogin, type LoginPassword } from '../provision/logins.ts'
import { readStanding, type Standing } from '../watch/stop-writes.ts'
import type { OwnLink, SessionLink } from './link-types.ts'
import type { Signal } from './outside-timer.ts'
import { createReadSocket } from './read-socket.ts'
import type { SpareKey } from './spare-links.ts'

/** Parts of the driver's client that its published types leave out. */
interface ClientInside {
  readonly processID: number
  readonly connection: { readonly stream: Socket }
}

const GOODBYE_MS = 1_000
const GONE_MS = 5_000
const GONE_EVERY_MS = 25
/** Everybody's sessions are looked after by the same few connections: a session that takes its time is asked for less often. */
const MAX_GONE_EVERY_MS = 400
const PASSWORD_REFUSED = '28P01'
const TOO_MANY_CONNECTIONS = '53300'
const CONNECT_TRIES = 4

/** The login is asked for as well: by then the number may belong to somebody else's session. */
async function signalBackend(cluster: Cluster, { pid, user }: Pick<OwnLink, 'pid' | 'user'>, signal: Signal) {
  const text = `select ${signal}(pid) from pg_stat_activity where pid = $1 and usename = $2`
  await cluster.admin.query(text, [pid, user])
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

/** An encrypted connection reads by itself, into memory of its own. */
const createStream = ({ ssl = false }: { ssl?: unknown } = {}) => (ssl ? new Socket() : createReadSocket())

async function tryConnect(cluster: Cluster, login: LoginPassword, options: string): Promise<OwnLink> {
  const client = new pg.Client({ ...cluster.loginConfig(login), options, stream: createStream })
  // Without a listener a connection cut while idle would end the process.
  client.on('error', () => undefined)
  const leave = await cluster.connecting.enter(login.database)
  try {
    await client.connect()
  } finally {
    leave()
  }
  const { user } = login
  return Object.assign(
    createLink(client, (signal, pid) => signalBackend(cluster, { pid, user }, signal)),
    { user },
  )
}

/**
 * A login whose password was changed from inside gets the right one back and is tried again. Where tools have taken the
 * connections kept for the platform, theirs are ended; they may come back faster than we do, so it is tried a few times.
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

/** For the next session. Its first look at the catalogue is slow, and is had ahead as well. */
export async function openSpare(cluster: Cluster, { login, options }: SpareKey): Promise<OwnLink> {
  const link = await openLink(cluster, login, options)
  await readStanding(link.client).catch(() => link.cut())
  return link
}

/** A link that was connected ahead, with how its login stands now, or a new one. */
export async function openUnusedLink(
  cluster: Cluster,
  key: SpareKey,
): Promise<{ readonly link: OwnLink; readonly standing?: Standing }> {
  const spare = await cluster.spares.take(key)
  const standing = spare && (await readStanding(spare.client).catch(() => undefined))
  if (spare && standing?.canConnect) return { link: spare, standing }
  spare?.cut()
  return { link: await openLink(cluster, key.login, key.options) }
}

async function canTryAgain(cluster: Cluster, login: LoginPassword, error: unknown): Promise<boolean> {
  if (!(error instanceof pg.DatabaseError)) return false
  if (error.code === PASSWORD_REFUSED) return await repairPassword(cluster, login)
  if (error.code !== TOO_MANY_CONNECTIONS) return false
  // Two processes that raise it at once stumble over each other; either way the limit is right afterwards.
  const isRaised = await raiseConnectionLimits(cluster, login.database).catch(() => true)
  return isRaised || (await endExcessSessions(cluster, login.database)) > 0
}

/**
 * Ends the server's side and waits until it is gone: a statement that still commits behind its caller's back would leave
 * what the caller has already cleared away.
 */
async function endBackend(cluster: Cluster, link: OwnLink): Promise<void> {
  await signalBackend(cluster, link, 'pg_terminate_backend')
  const text = 'select from pg_stat_activity where pid = $1 and usename = $2'
  const giveUpAt = performance.now() + GONE_MS
  for (let pause = GONE_EVERY_MS; performance.now() < giveUpAt; pause = Math.min(pause * 2, MAX_GONE_EVERY_MS)) {
    const { rowCount } = await cluster.admin.query(text, [link.pid, link.user])
    if (rowCount === 0) return
    await sleep(pause)
  }
}

/** Ends the connection for good. A statement still running on the server ends with it. */
export async function closeLink(cluster: Cluster, link: OwnLink, login: LoginPassword): Promise<void> {
  const isAdrift = link.isRunning || link.isCut
  const timer = setTimeout(() => link.stream.destroy(), GOODBYE_MS)
  try {
    await link.client.end()
    if (isAdrift) await endBackend(cluster, link)
    if (await restoreLogin(cluster, login)) cluster.spares.drop(login.user)
  } catch {
    // The work is done and its outcome known; what could not be put back now is put back after the next session.
  } finally {
    clearTimeout(timer)
  }
}
