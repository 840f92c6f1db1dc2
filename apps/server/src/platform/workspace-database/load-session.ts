import { type Session, withSession } from '@trellis/workspace-db/session'
import { MAX_STATEMENT_MS } from '@trellis/workspace-db/session/session-options'
import type { OpenDatabase } from './open-database.ts'

const LIMITS = { statementMs: MAX_STATEMENT_MS, lockMs: 15_000, workMemMb: 64 }

interface LoadSessionOptions {
  readonly signal: AbortSignal | undefined
  readonly idleInTransactionMs: number
  /** The run's claim has already counted this session. */
  readonly isCounted?: boolean
}

export async function openLoadSession<T>(
  { cluster, database, credentials }: OpenDatabase,
  { signal, idleInTransactionMs, isCounted = false }: LoadSessionOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = { ...LIMITS, idleInTransactionMs }
  const own = { isPlain: true, isCounted, limits, ...(signal && { signal }) }
  const target = { database, credentials, role: 'rw', ...own } as const
  return await withSession(cluster, target, work)
}
