import type { WorkspaceNames } from '../names.ts'

export type SessionRole = 'rw' | 'ro'

export interface SessionLimits {
  /** Includes waiting for a slow reader. */
  readonly statementMs: number
  readonly lockMs: number
  readonly idleInTransactionMs: number
  readonly workMemMb: number
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

export const MAX_STATEMENT_MS = 60 * 60 * 1_000

export function toSessionLimits(overrides: Partial<SessionLimits> = {}): SessionLimits {
  const limits = { ...DEFAULT_LIMITS, ...overrides }
  return { ...limits, statementMs: Math.min(limits.statementMs, MAX_STATEMENT_MS) }
}

export interface SessionShape {
  readonly role: SessionRole
  readonly limits: SessionLimits
  /** Search path pg_catalog only. */
  readonly isPlain: boolean
}

/** Startup options override a login's stored settings. Statements can change most of them, hence the outside timer. */
export function buildStartupOptions(names: WorkspaceNames, { role, limits, isPlain }: SessionShape): string {
  const settings: Record<string, string | number> = {
    ...(role === 'rw' ? { role: names.owner } : {}),
    default_transaction_read_only: role === 'ro' ? 'on' : 'off',
    search_path: isPlain ? 'pg_catalog' : 'data',
    statement_timeout: Math.ceil(limits.statementMs),
    lock_timeout: Math.ceil(limits.lockMs),
    idle_in_transaction_session_timeout: Math.ceil(limits.idleInTransactionMs),
    work_mem: `${Math.ceil(limits.workMemMb)}MB`,
    // A wrong library stored by the login would prevent every connection.
    local_preload_libraries: '',
    // Ends statements when this process dies.
    client_connection_check_interval: 1_000,
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
