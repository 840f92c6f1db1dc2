import type { EndReason } from '../errors.ts'

export type Signal = 'pg_cancel_backend' | 'pg_terminate_backend'

export interface Backend {
  /** Tells the server, over another connection, to end the statement or the session. */
  signal(signal: Signal): Promise<void>
  /** The last resort when the server can't be asked: cuts the connection from this side. */
  cut(): void
}

export interface OutsideTimer {
  /** Why the statement was ended from outside, if it was. */
  readonly reason: () => EndReason | undefined
  readonly end: (reason: EndReason) => void
  /** Waits for signals already sent: one that comes late would hit the next statement of the session. */
  readonly stop: () => Promise<unknown>
}

const TERMINATE_AFTER_MS = 1_000
const CUT_AFTER_MS = 2_500

/**
 * Ends a statement from outside its session: cancelled at the limit, terminated a second later. A statement can switch
 * off its own timeout and can trap a cancel; it can't trap the end of its session.
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
    // Without an answer the cut below still ends the wait.
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
