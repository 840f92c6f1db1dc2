import { type Session, withSession } from '@trellis/workspace-db/session'
import { MAX_STATEMENT_MS } from '@trellis/workspace-db/session/session-options'
import type { OpenDatabase } from '../../../../platform/workspace-database/open-database.ts'
import { type WaitingAttempt, whenConnected } from '../loads/when-connected.ts'

const MANAGED_LIMITS = {
  statementMs: MAX_STATEMENT_MS,
  lockMs: 30_000,
  idleInTransactionMs: 30 * 60_000,
  workMemMb: 64,
  maxRows: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
}

interface ManagedSessionOptions extends WaitingAttempt {
  readonly onNotice?: (notice: { readonly severity: string; readonly message: string }) => void
}

/** For user SQL: owner role, search path `data`. */
export async function withManagedSession<T>(
  { cluster, database, credentials }: OpenDatabase,
  { signal, log, onNotice }: ManagedSessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const sessionOptions = { limits: MANAGED_LIMITS, isCounted: true, signal, ...(onNotice && { onNotice }) }
  const target = { database, credentials, role: 'rw', ...sessionOptions } as const
  return await whenConnected({ signal, log }, work, (runWork) => withSession(cluster, target, runWork))
}

/** A second, read-only session with one snapshot. */
export const withReadSession = <T>(
  openedDatabase: OpenDatabase,
  waiting: WaitingAttempt,
  work: (session: Session) => Promise<T>,
): Promise<T> =>
  withManagedSession(openedDatabase, { signal: waiting.signal, log: waiting.log }, async (session) => {
    await session.query({ text: 'begin transaction isolation level repeatable read, read only' })
    return await work(session)
  })
