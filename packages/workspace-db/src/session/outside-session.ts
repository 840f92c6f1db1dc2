import type pg from 'pg'
import { toWorkspaceDbError, WorkspaceDbError } from '../errors.ts'
import { collectResult, type Session } from '../session.ts'
import { startStatementTimer } from './statement-timer.ts'
import type { Statement } from './portal.ts'
import { assertRunnable, readRowBytes, streamStatementRows, type Summary } from './read-statement.ts'
import type { SessionConnection } from './connection-types.ts'
import { createLink } from './session-connection.ts'
import { toSessionLimits, type SessionLimits } from './session-options.ts'

/** Untrusted server: the opener must limit what it sends. */
export interface OutsideConnection {
  readonly client: object
  run(text: string): Promise<void>
  copyOut(
    text: string,
    options: { hasHeader: boolean },
  ): AsyncGenerator<{ readonly bytes: Uint8Array; readonly rowCount: number }, number, undefined>
  cancel(): Promise<void>
}

export interface OutsideTarget {
  /** Autocommit, unless the statements begin a transaction. */
  readonly isWriting?: boolean | undefined
  readonly limits?: Partial<SessionLimits>
  readonly signal?: AbortSignal | undefined
}

const OUTSIDE_LIMITS = { maxRows: 500_000, maxBytes: 48 * 1024 * 1024, lockMs: 2_000, statementMs: 15_000 }

/**
 * Read-only by default, in one transaction that views and functions cannot leave. Settings are transaction-local,
 * because of poolers.
 */
export async function withOutsideSession<T>(
  connection: OutsideConnection,
  target: OutsideTarget,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = toSessionLimits({ ...OUTSIDE_LIMITS, ...target.limits })
  const { signal, isWriting = false } = target
  const sessionLink = createLink(connection.client as pg.Client, async (kind) => {
    // pg_terminate_backend needs privileges a reader lacks.
    if (kind === 'pg_cancel_backend') await connection.cancel()
    else sessionLink.destroySocket()
  })
  const transactions = createTransactions(connection, sessionLink, { limits, isWriting })
  async function* inTransaction<Step>(batches: AsyncGenerator<Step, Summary, undefined>) {
    await transactions.begin()
    let command = TRANSACTION_END_TAGS[0] as string
    try {
      const summary = yield* batches
      command = summary.command
      if (isWriting) await transactions.commit(command)
      return summary
    } finally {
      if (TRANSACTION_END_TAGS.includes(command)) transactions.ended()
    }
  }
  async function* copyOut(text: string) {
    await transactions.begin()
    return yield* readOutsideCopy(connection, sessionLink, { statement: { text }, limits, signal })
  }
  const stream = (statement: Statement) =>
    inTransaction(streamStatementRows(sessionLink, { statement, limits, signal }))
  return await work({
    databaseKind: 'outside',
    isReadOnly: !isWriting,
    isOnReplica: false,
    stream,
    streamBytes: (statement) =>
      inTransaction(readRowBytes(sessionLink, { statement, limits, signal, isReadAhead: true })),
    copyOut,
    copyIn: () => Promise.reject(readOnlyError()),
    query: (statement) => collectResult(stream(statement)),
    processId: sessionLink.pid,
  })
}

const readOnlyError = () =>
  new WorkspaceDbError({ code: 'refused', message: 'Nothing is written to a connected database from here.' })

/**
 * Command tags that end the transaction, even if another begins in the same string and could be made writable. An empty
 * tag counts as one.
 */
const TRANSACTION_END_TAGS: readonly string[] = ['ROLLBACK', 'COMMIT', 'PREPARE TRANSACTION']
const TRANSACTION_BEGIN_TAGS: readonly string[] = ['BEGIN', 'START TRANSACTION']

interface TransactionOptions {
  readonly limits: SessionLimits
  readonly isWriting: boolean
}

/** One transaction at a time; after a failure or the user's COMMIT, the next begins. */
function createTransactions(
  connection: OutsideConnection,
  sessionLink: SessionConnection,
  options: TransactionOptions,
) {
  const { limits } = options
  let state: 'none' | 'open' | 'ended' = 'none'
  let isUserTransaction = false
  async function run(text: string): Promise<void> {
    const timer = startStatementTimer(sessionLink, limits.statementMs)
    try {
      await connection.run(text)
    } catch (error) {
      throw toWorkspaceDbError(error, timer.reason())
    } finally {
      await timer.stop()
    }
  }
  return {
    ended: () => void (state = 'ended'),
    async begin() {
      if (state === 'open') return
      await run(`${state === 'ended' ? 'rollback; ' : ''}${buildBeginStatement(options)}`)
      state = 'open'
    },
    /** After a statement, unless in a user's transaction. */
    async commit(command: string) {
      if (TRANSACTION_BEGIN_TAGS.includes(command)) isUserTransaction = true
      if (TRANSACTION_END_TAGS.includes(command)) isUserTransaction = false
      else if (!isUserTransaction) {
        state = 'ended'
        await run('commit')
        state = 'none'
      }
    },
  }
}

function buildBeginStatement({ limits, isWriting }: TransactionOptions): string {
  const settings: Record<string, string | number> = {
    search_path: 'pg_catalog',
    statement_timeout: Math.ceil(limits.statementMs),
    lock_timeout: Math.ceil(limits.lockMs),
    idle_in_transaction_session_timeout: Math.ceil(limits.idleInTransactionMs),
    datestyle: 'ISO',
    timezone: 'UTC',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 1,
    standard_conforming_strings: 'on',
  }
  const calls = Object.entries(settings).map(([name, value]) => `pg_catalog.set_config('${name}', '${value}', true)`)
  return `begin transaction isolation level read committed read ${isWriting ? 'write' : 'only'}; select ${calls.join(', ')}`
}

async function* readOutsideCopy(
  connection: OutsideConnection,
  sessionLink: SessionConnection,
  options: Parameters<typeof assertRunnable>[1],
): AsyncGenerator<Uint8Array, number, undefined> {
  assertRunnable(sessionLink, options)
  const timer = startStatementTimer(sessionLink, options.limits.statementMs)
  const onAbort = () => timer.end('abort')
  options.signal?.addEventListener('abort', onAbort, { once: true })
  sessionLink.isRunning = true
  const { text } = options.statement
  const pieces = connection.copyOut(text, { hasHeader: /\bheader true\b[^()]*\)$/.test(text) })
  try {
    for (;;) {
      const step = await pieces.next()
      if (step.done) return step.value
      yield step.value.bytes
    }
  } catch (error) {
    throw toWorkspaceDbError(error, timer.reason())
  } finally {
    sessionLink.isRunning = false
    await pieces.return(0)
    await timer.stop()
    options.signal?.removeEventListener('abort', onAbort)
  }
}
