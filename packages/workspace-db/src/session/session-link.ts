import type { Socket } from 'node:net'
import pg from 'pg'
import type { Cluster } from '../cluster.ts'
import { toWorkspaceDbError } from '../errors.ts'
import { repairPassword, restoreLogin, type LoginPassword } from '../provision/logins.ts'
import { signalBackend, type Backend } from './outside-timer.ts'

/** One live connection of a login, and what is known about the statement on it. */
export interface SessionLink extends Backend {
  readonly client: pg.Client
  /** The bytes as they come in, after decryption. */
  readonly stream: Socket
  isRunning: boolean
  isCut: boolean
}

/** Parts of the driver's client that its published types leave out. */
interface ClientInside {
  readonly processID: number
  readonly connection: { readonly stream: Socket }
}

const GOODBYE_MS = 1_000
const PASSWORD_REFUSED = '28P01'

async function tryConnect(cluster: Cluster, login: LoginPassword, options: string): Promise<SessionLink> {
  const client = new pg.Client({ ...cluster.loginConfig(login), options })
  // Without a listener a connection cut while idle would end the process.
  client.on('error', () => undefined)
  await client.connect()
  const { processID, connection } = client as unknown as ClientInside
  const link: SessionLink = {
    client,
    pid: processID,
    user: login.user,
    stream: connection.stream,
    isRunning: false,
    isCut: false,
    cut() {
      link.isCut = true
      link.stream.destroy()
    },
  }
  return link
}

/** A login whose password was changed from inside gets the right one back and is tried once more. */
export async function openLink(cluster: Cluster, login: LoginPassword, options: string): Promise<SessionLink> {
  try {
    return await tryConnect(cluster, login, options).catch(async (error: unknown) => {
      const isRefused = error instanceof pg.DatabaseError && error.code === PASSWORD_REFUSED
      if (!isRefused || !(await repairPassword(cluster, login))) throw error
      return tryConnect(cluster, login, options)
    })
  } catch (error) {
    throw toWorkspaceDbError(error)
  }
}

/** Ends the connection for good. A statement still running on the server ends with it. */
export async function closeLink(cluster: Cluster, link: SessionLink, login: LoginPassword): Promise<void> {
  const isAdrift = link.isRunning || link.isCut
  const timer = setTimeout(() => link.stream.destroy(), GOODBYE_MS)
  try {
    await link.client.end()
    if (isAdrift) await signalBackend(cluster, link, 'pg_terminate_backend')
    await restoreLogin(cluster, login)
  } catch {
    // The work is done and its outcome known; what could not be put back now is put back after the next session.
  } finally {
    clearTimeout(timer)
  }
}
