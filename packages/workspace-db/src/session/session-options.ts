import type { WorkspaceNames } from '../names.ts'

export type SessionRole = 'rw' | 'ro'

export interface SessionLimits {
  /** From sending a statement to its last row, waiting for a slow reader included. */
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  readonly workMemMb: number
  /** A result is cut here and marked as cut. */
  readonly maxRows: number
  readonly maxBytes: number
}

const DEFAULT_LIMITS: SessionLimits = {
  statementMs: 30_000,
  lockMs: 5_000,
  idleInTransactionMs: 15_000,
  workMemMb: 32,
  maxRows: 50_000,
  maxBytes: 10 * 1024 * 1024,
}

/** No statement is given more, so whatever runs longer has lost its timer with the process that started it. */
export const MAX_STATEMENT_MS = 60 * 60 * 1_000

export function limitsFrom(given: Partial<SessionLimits> = {}): SessionLimits {
  const limits = { ...DEFAULT_LIMITS, ...given }
  return { ...limits, statementMs: Math.min(limits.statementMs, MAX_STATEMENT_MS) }
}

export interface SessionShape {
  readonly role: SessionRole
  readonly limits: SessionLimits
  /** Names without a schema are Postgres' own, so nothing somebody made in `data` is met by accident. */
  readonly isPlain: boolean
}

/**
 * Given when connecting, these win over everything a login has stored for itself. A statement can still change most of
 * them for the rest of its own session, which is why the outside timer exists.
 */
export function startupOptions(names: WorkspaceNames, { role, limits, isPlain }: SessionShape): string {
  const settings: Record<string, string | number> = {
    ...(role === 'rw' ? { role: names.owner } : {}),
    default_transaction_read_only: role === 'ro' ? 'on' : 'off',
    search_path: isPlain ? 'pg_catalog' : 'data',
    statement_timeout: Math.ceil(limits.statementMs),
    lock_timeout: Math.ceil(limits.lockMs),
    idle_in_transaction_session_timeout: Math.ceil(limits.idleInTransactionMs),
    work_mem: `${Math.ceil(limits.workMemMb)}MB`,
    // A login that stores a wrong library here for itself could otherwise never connect again.
    local_preload_libraries: '',
    // When this process dies, its statements die with it.
    client_connection_check_interval: 1_000,
    // Values arrive as text; these decide what the text looks like.
    datestyle: 'ISO',
    timezone: 'UTC',
    intervalstyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: 1,
  }
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}
