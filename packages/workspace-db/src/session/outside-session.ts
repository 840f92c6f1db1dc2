import type pg from 'pg'
import { toWorkspaceDbError, WorkspaceDbError } from '../errors.ts'
import { collect, type Session } from '../session.ts'
import { startOutsideTimer } from './outside-timer.ts'
import type { Statement } from './portal.ts'
import { assertRunnable, readRowBytes, readStatement, type Summary } from './read-statement.ts'
import type { SessionLink } from './link-types.ts'
import { createLink } from './session-link.ts'
import { limitsFrom, type SessionLimits } from './session-options.ts'

/** Somebody else's PostgreSQL, signed in. Nothing it sends is trusted: whoever opened it keeps a hostile server in check. */
export interface OutsideConnection {
  /** A client of the `pg` driver. */
  readonly client: object
  /** Statements of the platform's own whose answers nobody reads, in one message. */
  run(text: string): Promise<void>
  copyOut(
    text: string,
    options: { hasHeader: boolean },
  ): AsyncGenerator<{ readonly bytes: Uint8Array; readonly rowCount: number }, number, undefined>
  /** Asks the server to end the statement that runs. */
  cancel(): Promise<void>
}

export interface OutsideTarget {
  /** Statements may write, each in a transaction of its own unless they begin one. */
  readonly isWriting?: boolean | undefined
  readonly limits?: Partial<SessionLimits>
  readonly signal?: AbortSignal | undefined
}

/** Held in memory for one question; a workspace's own database is allowed more. */
const LIMITS = { maxRows: 500_000, maxBytes: 48 * 1024 * 1024, lockMs: 2_000, statementMs: 15_000 }

/**
 * The same session as on a workspace's database. Unless it may write, it is inside one transaction that can only read:
 * what a view or function of theirs calls can't leave it. Settings hold for the transaction, so that a pooler hands none of them to somebody else.
 */
export async function withOutsideSession<T>(
  connection: OutsideConnection,
  target: OutsideTarget,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = limitsFrom({ ...LIMITS, ...target.limits })
  const { signal, isWriting = false } = target
  const link = createLink(connection.client as pg.Client, async (kind) => {
    // Ending somebody else's session takes a right that a reader has not.
    if (kind === 'pg_cancel_backend') await connection.cancel()
    else link.cut()
  })
  const ready = transactions(connection, link, { limits, isWriting })
  async function* inTransaction<Step>(batches: AsyncGenerator<Step, Summary, undefined>) {
    await ready.begin()
    let command = ENDS_TRANSACTION[0] as string
    try {
      const summary = yield* batches
      command = summary.command
      if (isWriting) await ready.commit(command)
      return summary
    } finally {
      if (ENDS_TRANSACTION.includes(command)) ready.ended()
    }
  }
  async function* copyOut(text: string) {
    await ready.begin()
    return yield* readOutsideCopy(connection, link, { statement: { text }, limits, signal })
  }
  const stream = (statement: Statement) => inTransaction(readStatement(link, { statement, limits, signal }))
  return await work({
    place: 'outside',
    isReadOnly: !isWriting,
    stream,
    streamBytes: (statement) => inTransaction(readRowBytes(link, { statement, limits, signal, isReadAhead: true })),
    copyOut,
    copyIn: () => Promise.reject(readsOnly()),
    query: (statement) => collect(stream(statement)),
    processId: link.pid,
  })
}

const readsOnly = () =>
  new WorkspaceDbError({ code: 'refused', message: 'Nothing is written to a connected database from here.' })

/**
 * What Postgres says after a statement that ends the transaction, also one that begins the next in the same breath: that
 * one could still be turned to writing. A statement without an outcome counts as one of them.
 */
const ENDS_TRANSACTION: readonly string[] = ['ROLLBACK', 'COMMIT', 'PREPARE TRANSACTION']
const BEGINS_TRANSACTION: readonly string[] = ['BEGIN', 'START TRANSACTION']

interface Access {
  readonly limits: SessionLimits
  readonly isWriting: boolean
}

/** One transaction at a time; a failed statement or a COMMIT of theirs ends it, and the next one begins another. */
function transactions(connection: OutsideConnection, link: SessionLink, access: Access) {
  const { limits } = access
  let state: 'none' | 'open' | 'ended' = 'none'
  /** Begun by a statement of theirs, which also says when it is committed. */
  let isTheirs = false
  async function run(text: string): Promise<void> {
    const timer = startOutsideTimer(link, limits.statementMs)
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
      await run(`${state === 'ended' ? 'rollback; ' : ''}${beginning(access)}`)
      state = 'open'
    },
    /** After a statement, unless it stands in a transaction of theirs. */
    async commit(command: string) {
      if (BEGINS_TRANSACTION.includes(command)) isTheirs = true
      if (ENDS_TRANSACTION.includes(command)) isTheirs = false
      else if (!isTheirs) {
        state = 'ended'
        await run('commit')
        state = 'none'
      }
    },
  }
}

function beginning({ limits, isWriting }: Access): string {
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
  link: SessionLink,
  reading: Parameters<typeof assertRunnable>[1],
): AsyncGenerator<Uint8Array, number, undefined> {
  assertRunnable(link, reading)
  const timer = startOutsideTimer(link, reading.limits.statementMs)
  const onAbort = () => timer.end('abort')
  reading.signal?.addEventListener('abort', onAbort, { once: true })
  link.isRunning = true
  const { text } = reading.statement
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
    link.isRunning = false
    await pieces.return(0)
    await timer.stop()
    reading.signal?.removeEventListener('abort', onAbort)
  }
}
