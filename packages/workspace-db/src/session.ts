import type { Cluster } from './cluster.ts'
import { truncateText } from './cut-text.ts'
import type { WorkspaceCredentials } from './provision/credentials.ts'
import type { LoginPassword } from './provision/logins.ts'
import { WorkspaceDbError, toMovingError, toWatchError } from './errors.ts'
import { isMoving } from './move/fence.ts'
import { maskNames, parseDatabaseNames } from './names.ts'
import { type CopyIn, runCopyIn } from './session/copy-in.ts'
import type { Batch, Column, RawBatch, Statement, Value } from './session/portal.ts'
import { readCopy } from './session/read-copy.ts'
import { readRowBytes, streamStatementRows, type Summary } from './session/read-statement.ts'
import { openReplicaLink, openSpare, openUnusedLink } from './session/session-connection.ts'
import { findSessionEndReason } from './watch/ended-sessions.ts'
import { listStoppedDatabases, enforceWriteStop, type WriteStopReason } from './watch/stop-writes.ts'
import {
  toSessionLimits,
  buildStartupOptions,
  type SessionLimits,
  type SessionRole,
} from './session/session-options.ts'
import { SQL_STATE } from './sql-state.ts'

export interface SessionTarget {
  readonly database: string
  readonly credentials: WorkspaceCredentials
  /** `rw` acts as the data owner. */
  readonly role: SessionRole
  readonly limits?: Partial<SessionLimits>
  readonly signal?: AbortSignal
  readonly person?: string | undefined
  /** Search path pg_catalog only. */
  readonly isPlain?: boolean
  readonly isMakingRoom?: boolean
  /** For interactive use: opens the login's next connection in advance. */
  readonly isConnectedAhead?: boolean
  /** False: an unresponsive session is terminated in the background and keeps its slot until then. */
  readonly isEndAwaited?: boolean
  /** A run's session was counted when the run was claimed. */
  readonly isCounted?: boolean
  /** For work that only reads: may be done by a replica that has everything committed before. */
  readonly canUseReplica?: boolean
  readonly onNotice?: (notice: { readonly severity: string; readonly message: string }) => void
}

export interface Result extends Summary {
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly Value[])[]
}

export interface Session {
  /** In a workspace the platform's own schemas are hidden. */
  readonly databaseKind: 'workspace' | 'outside'
  readonly isReadOnly: boolean
  readonly isOnReplica: boolean
  query(statement: Statement): Promise<Result>
  stream(statement: Statement): AsyncGenerator<Batch, Summary, undefined>
  /** Prefetches. The bytes are valid until the next batch is requested. */
  streamBytes(statement: Statement): AsyncGenerator<RawBatch, Summary, undefined>
  copyOut(text: string): AsyncGenerator<Uint8Array, number, undefined>
  readonly processId: number
  copyIn(copy: CopyIn): Promise<number>
}

/** One connection per session, closed afterwards, so that no session state leaks. All errors are `WorkspaceDbError`. */
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

/** Opens a session for the given login, on a replica if allowed, once the gate admits it; closes it after `work`. */
export async function withLoginSession<T>(
  cluster: Cluster,
  target: SessionTarget & { readonly login: LoginPassword },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const names = parseDatabaseNames(target.database)
  const limits = toSessionLimits(target.limits)
  const isWriter = target.role === 'rw'
  const { login } = target
  const options = buildStartupOptions(names, { role: target.role, limits, isPlain: target.isPlain ?? false })
  const leaveGate = target.isCounted ? () => undefined : await cluster.gate.enter(names.database, target)
  let isOnReplica = false
  const releaseSlot = () => {
    leaveGate()
    if (target.isConnectedAhead && !isOnReplica && cluster.gate.hasRoom(names.database))
      cluster.spares.keep({ login, options }, () => openSpare(cluster, { login, options }))
  }
  let closing: Promise<void> | undefined
  try {
    const replicaLink = target.canUseReplica && !isWriter ? await openReplicaLink(cluster, { login, options }) : null
    const openedLink =
      replicaLink ??
      (await openUnusedLink(cluster, { login, options }).catch(async (error: unknown) => {
        throw await explainRefusedConnection(cluster, names.database, error)
      }))
    const { link, writeAccess: standing } = openedLink
    isOnReplica = openedLink.isOnReplica
    const { signal, onNotice } = target
    let writeStopReason: WriteStopReason | undefined
    if (onNotice) link.client.on('notice', (notice) => onNotice(readNotice(notice)))
    const stream = (statement: Statement) => streamStatementRows(link, { statement, limits, signal })
    try {
      // Deleting data must remain possible.
      if (isWriter && target.isMakingRoom !== true) writeStopReason = await enforceWriteStop(link.client, standing)
      return await work({
        databaseKind: 'workspace',
        isReadOnly: !isWriter,
        isOnReplica,
        stream,
        streamBytes: (statement) => readRowBytes(link, { statement, limits, signal, isReadAhead: true }),
        copyOut: (text) => readCopy(link, { statement: { text }, limits, signal }),
        copyIn: (copy) => runCopyIn(link, { copy, limits, signal }),
        query: (statement) => collectResult(stream(statement)),
        processId: link.pid,
      })
    } catch (error) {
      throw isOnReplica
        ? explainReplicaError(cluster, error)
        : await explainEndedSession(cluster, error, { pid: link.pid, stopped: writeStopReason })
    } finally {
      const isLeftBehind = link.isSocketDestroyed && target.isEndAwaited === false
      const closed = openedLink.close()
      if (isLeftBehind) closing = closed
      else await closed
    }
  } finally {
    if (closing) void closing.finally(releaseSlot)
    else releaseSlot()
  }
}

const MAX_NOTICE_LENGTH = 10_000

/** A database that kept growing, or is being moved, is closed to writers for a while. */
async function explainRefusedConnection(cluster: Cluster, database: string, error: unknown): Promise<unknown> {
  if (!(error instanceof WorkspaceDbError) || error.sqlState !== SQL_STATE.INSUFFICIENT_PRIVILEGE) return error
  const stopped = await listStoppedDatabases(cluster.admin).catch(() => undefined)
  const reason = stopped?.get(database)
  if (reason) return toWatchError(reason, error)
  return (await isMoving(cluster.admin, database).catch(() => false)) ? toMovingError(error) : error
}

/** Replaces Postgres' message if the watch ended the session or stopped writes. */
async function explainEndedSession(
  cluster: Cluster,
  error: unknown,
  { pid, stopped }: { pid: number; stopped: WriteStopReason | undefined },
): Promise<unknown> {
  if (!(error instanceof WorkspaceDbError)) return error
  if (error.sqlState === SQL_STATE.READ_ONLY_TRANSACTION) return stopped ? toWatchError(stopped, error) : error
  if (error.code !== 'unavailable') return error
  const reason = await findSessionEndReason(cluster.admin, pid).catch(() => undefined)
  return reason ? toWatchError(reason, error) : error
}

/** Whoever tries again reads from the primary. */
function explainReplicaError({ replica }: Cluster, error: unknown): unknown {
  if (!(error instanceof WorkspaceDbError)) return error
  const isConflict = error.sqlState === SQL_STATE.SERIALIZATION_FAILURE
  if (isConflict || error.code === 'unavailable') replica?.avoid()
  if (!isConflict) return error
  return new WorkspaceDbError({
    code: 'unavailable',
    message: 'What was read has been changed or removed meanwhile. Run it again.',
    sqlState: SQL_STATE.SERIALIZATION_FAILURE,
    cause: error,
  })
}

const readNotice = ({
  severity = 'NOTICE',
  message = '',
}: {
  severity?: string | undefined
  message?: string | undefined
}) => ({
  severity,
  message: maskNames(truncateText(message, MAX_NOTICE_LENGTH)),
})

export async function collectResult(batches: AsyncGenerator<Batch, Summary, undefined>): Promise<Result> {
  const rows: (readonly Value[])[] = []
  let columns: readonly Column[] = []
  for (;;) {
    const step = await batches.next()
    if (step.done) return { ...step.value, columns, rows }
    columns = step.value.columns
    for (const row of step.value.rows) rows.push(row)
  }
}
