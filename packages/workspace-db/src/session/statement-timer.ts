import type { EndReason } from '../errors.ts'

export type Signal = 'pg_cancel_backend' | 'pg_terminate_backend'

/** What a timer can do to a session whose statement does not end. */
export interface Backend {
  signal(signal: Signal): Promise<void>
  /** Last resort: closes the socket. */
  destroySocket(): void
}

export interface StatementTimer {
  /** Why the statement was ended; undefined if it was not. */
  readonly reason: () => EndReason | undefined
  /** Ends the statement before the limit. */
  readonly end: (reason: EndReason) => void
  /** Waits for pending signals, which could hit the next statement. */
  readonly stop: () => Promise<unknown>
}

const TERMINATE_AFTER_MS = 1_000
const DESTROY_AFTER_MS = 2_500

/**
 * Cancels at the limit and terminates a second later: a statement can disable its timeout and trap a cancel, but not a
 * termination.
 */
export function startStatementTimer(backend: Backend, limitMs: number): StatementTimer {
  let reason: EndReason | undefined
  let timers: NodeJS.Timeout[] = []
  const pendingSignals: Promise<void>[] = []
  const clearTimers = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const send = (signal: Signal) => {
    pendingSignals.push(backend.signal(signal).catch(() => undefined))
  }
  const end = (endReason: EndReason) => {
    if (reason) return
    reason = endReason
    clearTimers()
    send('pg_cancel_backend')
    timers = [
      setTimeout(() => send('pg_terminate_backend'), TERMINATE_AFTER_MS),
      setTimeout(() => backend.destroySocket(), DESTROY_AFTER_MS),
    ]
  }
  timers = [setTimeout(() => end('time'), limitMs)]
  const stop = () => {
    clearTimers()
    return Promise.all(pendingSignals)
  }
  return { reason: () => reason, end, stop }
}
