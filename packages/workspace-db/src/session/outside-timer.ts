import type { EndReason } from '../errors.ts'

export type Signal = 'pg_cancel_backend' | 'pg_terminate_backend'

export interface Backend {
  signal(signal: Signal): Promise<void>
  /** Last resort: closes the socket. */
  cut(): void
}

export interface OutsideTimer {
  readonly reason: () => EndReason | undefined
  readonly end: (reason: EndReason) => void
  /** Waits for pending signals, which could hit the next statement. */
  readonly stop: () => Promise<unknown>
}

const TERMINATE_AFTER_MS = 1_000
const CUT_AFTER_MS = 2_500

/**
 * Cancels at the limit and terminates a second later: a statement can disable its timeout and trap a cancel, but not a
 * termination.
 */
export function startOutsideTimer(backend: Backend, limitMs: number): OutsideTimer {
  let reason: EndReason | undefined
  let timers: NodeJS.Timeout[] = []
  const sent: Promise<void>[] = []
  const clear = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const send = (signal: Signal) => {
    sent.push(backend.signal(signal).catch(() => undefined))
  }
  const end = (why: EndReason) => {
    if (reason) return
    reason = why
    clear()
    send('pg_cancel_backend')
    timers = [
      setTimeout(() => send('pg_terminate_backend'), TERMINATE_AFTER_MS),
      setTimeout(() => backend.cut(), CUT_AFTER_MS),
    ]
  }
  timers = [setTimeout(() => end('time'), limitMs)]
  const stop = () => {
    clear()
    return Promise.all(sent)
  }
  return { reason: () => reason, end, stop }
}
