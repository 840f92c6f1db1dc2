import { setTimeout as wait } from 'node:timers/promises'
import { type Session, withSession } from '@trellis/workspace-db/session'
import { MAX_STATEMENT_MS } from '@trellis/workspace-db/session/session-options'
import type { OpenDatabase } from '../../../../platform/workspace-database/open-database.ts'
import { isBusy } from './managed-query.ts'

const LIMITS = {
  statementMs: MAX_STATEMENT_MS,
  lockMs: 30_000,
  idleInTransactionMs: 30 * 60_000,
  workMemMb: 64,
  maxRows: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
}
/** A workspace has four sessions in a process. More runs than this that need two would wait for each other for ever. */
const MAX_PAIRED_RUNS = 3
const BUSY_WAIT_MS = 500

interface Asking {
  readonly signal?: AbortSignal
  readonly onNotice?: (notice: { readonly severity: string; readonly message: string }) => void
}

/** A session in which people's own SQL runs: as the owner of the data, names without a schema are those of `data`. */
export async function withManagedSession<T>(
  { cluster, database, credentials }: OpenDatabase,
  asking: Asking,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return await withSession(cluster, { database, credentials, role: 'rw', limits: LIMITS, ...asking }, work)
}

const pairs = new Map<string, number>()

/**
 * A second session beside the one that writes: everything in it is read as of one moment, and nothing can be written.
 * Whoever waits for it holds another one, so it is waited for patiently.
 */
export async function withReadSession<T>(
  opened: OpenDatabase,
  signal: AbortSignal,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { database } = opened
  while ((pairs.get(database) ?? 0) >= MAX_PAIRED_RUNS) await wait(BUSY_WAIT_MS, undefined, { signal })
  pairs.set(database, (pairs.get(database) ?? 0) + 1)
  let hasBegun = false
  try {
    for (;;) {
      try {
        return await withManagedSession(opened, { signal }, async (session) => {
          hasBegun = true
          await session.query({ text: 'begin transaction isolation level repeatable read, read only' })
          return await work(session)
        })
      } catch (error) {
        if (hasBegun || !isBusy(error)) throw error
        await wait(BUSY_WAIT_MS, undefined, { signal })
      }
    }
  } finally {
    const left = (pairs.get(database) ?? 1) - 1
    if (left === 0) pairs.delete(database)
    else pairs.set(database, left)
  }
}
