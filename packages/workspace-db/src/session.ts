import type { Cluster } from './cluster.ts'
import { cutText } from './cut-text.ts'
import type { WorkspaceCredentials } from './provision/credentials.ts'
import type { LoginPassword } from './provision/logins.ts'
import { WorkspaceDbError, watchedError } from './errors.ts'
import { hideNames, parseDatabaseNames } from './names.ts'
import { type CopyIn, runCopyIn } from './session/copy-in.ts'
import type { Batch, Column, RawBatch, Statement, Value } from './session/portal.ts'
import { readCopy } from './session/read-copy.ts'
import { readRowBytes, readStatement, type Summary } from './session/read-statement.ts'
import { closeLink, openSpare, openUnusedLink } from './session/session-link.ts'
import { findEndedFor } from './watch/ended-sessions.ts'
import { listStopped, obeyStop, type StopReason } from './watch/stop-writes.ts'
import { limitsFrom, startupOptions, type SessionLimits, type SessionRole } from './session/session-options.ts'

export interface SessionTarget {
  readonly database: string
  readonly credentials: WorkspaceCredentials
  /** `rw` acts as the owner of the data, `ro` can only read it. */
  readonly role: SessionRole
  readonly limits?: Partial<SessionLimits>
  readonly signal?: AbortSignal
  /** Whose turn it is when sessions of this workspace have to wait. */
  readonly person?: string | undefined
  /** For the platform's own statements: names without a schema are Postgres' own. */
  readonly isPlain?: boolean
  /** Deletes and nothing more, so it may also where writing is stopped. */
  readonly isMakingRoom?: boolean
  /** For people who wait for an answer: the next session of this login is connected ahead. */
  readonly isConnectedAhead?: boolean
  /**
   * False for a caller that has nothing to clear away: a session that does not answer any more is ended behind it, and
   * keeps its place among the sessions until then.
   */
  readonly isEndAwaited?: boolean
  /** Of a run: its claim has counted it over all processes, so that the limits of this one do not hold for it. */
  readonly isCounted?: boolean
  /** What statements say while they run: NOTICE, WARNING and the like. */
  readonly onNotice?: (notice: { readonly severity: string; readonly message: string }) => void
}

export interface Result extends Summary {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Value[])[]
}

export interface Session {
  /** Whose database it is: the platform hides its own schemas in a workspace's. */
  readonly place: 'workspace' | 'outside'
  /** A connected database is read only unless its connection allows writing. */
  readonly isReadOnly: boolean
  /** The whole result, up to the limits on rows and bytes. */
  query(statement: Statement): Promise<Result>
  /** The result in steps: the next rows are fetched when the reader comes back for them. */
  stream(statement: Statement): AsyncGenerator<Batch, Summary, undefined>
  /**
   * The result in steps, as the server sends it; the next rows are fetched while these are used. The bytes of a step are
   * valid until the next one is asked for.
   */
  streamBytes(statement: Statement): AsyncGenerator<RawBatch, Summary, undefined>
  /** The bytes of a COPY … TO STDOUT. Such a statement takes no parameters. */
  copyOut(text: string): AsyncGenerator<Uint8Array, number, undefined>
  /** The server's number for this session, for looking at its progress from outside. */
  readonly processId: number
  /** Streams rows into a table and gives their number. The statement is the platform's own. */
  copyIn(copy: CopyIn): Promise<number>
}

/**
 * Runs one group of statements on a connection of its own, which is destroyed after it: nothing a statement leaves in
 * its session can be met by another one. Whatever fails in the session is a `WorkspaceDbError`.
 */
export async function withSession<T>(
  cluster: Cluster,
  target: SessionTarget,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const names = parseDatabaseNames(target.database)
  const isWriter = target.role === 'rw'
  const login = {
    database: names.database,
    user: isWriter ? names.readWrite : names.readOnly,
    password: isWriter ? target.credentials.readWrite : target.credentials.readOnly,
  }
  return await withLoginSession(cluster, { ...target, login }, work)
}

/** The same under another login of the workspace. */
export async function withLoginSession<T>(
  cluster: Cluster,
  target: SessionTarget & { readonly login: LoginPassword },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const names = parseDatabaseNames(target.database)
  const limits = limitsFrom(target.limits)
  const isWriter = target.role === 'rw'
  const { login } = target
  const options = startupOptions(names, { role: target.role, limits, isPlain: target.isPlain ?? false })
  const leave = target.isCounted ? () => undefined : await cluster.gate.enter(names.database, target)
  const release = () => {
    leave()
    if (target.isConnectedAhead && cluster.gate.hasRoom(names.database))
      cluster.spares.keep({ login, options }, () => openSpare(cluster, { login, options }))
  }
  let closing: Promise<void> | undefined
  try {
    const { link, standing } = await openUnusedLink(cluster, { login, options }).catch(async (error: unknown) => {
      throw await explainClosed(cluster, names.database, error)
    })
    const { signal, onNotice } = target
    let stopped: StopReason | undefined
    if (onNotice) link.client.on('notice', (notice) => onNotice(readNotice(notice)))
    const stream = (statement: Statement) => readStatement(link, { statement, limits, signal })
    try {
      // A session that makes room goes on: it is the way out.
      if (isWriter && target.isMakingRoom !== true) stopped = await obeyStop(link.client, standing)
      return await work({
        place: 'workspace',
        isReadOnly: !isWriter,
        stream,
        streamBytes: (statement) => readRowBytes(link, { statement, limits, signal, isReadAhead: true }),
        copyOut: (text) => readCopy(link, { statement: { text }, limits, signal }),
        copyIn: (copy) => runCopyIn(link, { copy, limits, signal }),
        query: (statement) => collect(stream(statement)),
        processId: link.pid,
      })
    } catch (error) {
      throw await explain(cluster, error, { pid: link.pid, stopped })
    } finally {
      const isLeftBehind = link.isCut && target.isEndAwaited === false
      const closed = closeLink(cluster, link, login)
      if (isLeftBehind) closing = closed
      else await closed
    }
  } finally {
    if (closing) void closing.finally(release)
    else release()
  }
}

const READ_ONLY = '25006'
const NO_CONNECT = '42501'
const MAX_NOTICE_LENGTH = 10_000

/** A database that grew although its writes were stopped takes no writers for a while. */
async function explainClosed(cluster: Cluster, database: string, error: unknown): Promise<unknown> {
  if (!(error instanceof WorkspaceDbError) || error.sqlState !== NO_CONNECT) return error
  const stopped = await listStopped(cluster.admin).catch(() => undefined)
  const reason = stopped?.get(database)
  return reason ? watchedError(reason, error) : error
}

/** The watch over the server ends sessions and stops writes; what the server says about it does not tell why. */
async function explain(
  cluster: Cluster,
  error: unknown,
  { pid, stopped }: { pid: number; stopped: StopReason | undefined },
): Promise<unknown> {
  if (!(error instanceof WorkspaceDbError)) return error
  if (error.sqlState === READ_ONLY) return stopped ? watchedError(stopped, error) : error
  if (error.code !== 'unavailable') return error
  const reason = await findEndedFor(cluster.admin, pid).catch(() => undefined)
  return reason ? watchedError(reason, error) : error
}

const readNotice = ({
  severity = 'NOTICE',
  message = '',
}: {
  severity?: string | undefined
  message?: string | undefined
}) => ({
  severity,
  message: hideNames(cutText(message, MAX_NOTICE_LENGTH)),
})

export async function collect(batches: AsyncGenerator<Batch, Summary, undefined>): Promise<Result> {
  const rows: (readonly Value[])[] = []
  let columns: readonly Column[] = []
  for (;;) {
    const step = await batches.next()
    if (step.done) return { ...step.value, columns, rows }
    columns = step.value.columns
    for (const row of step.value.rows) rows.push(row)
  }
}
