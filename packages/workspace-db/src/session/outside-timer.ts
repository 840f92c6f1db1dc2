import type { Cluster } from '../cluster.ts'
import type { EndReason } from '../errors.ts'

export interface Backend {
  readonly pid: number
  readonly user: string
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

type Signal = 'pg_cancel_backend' | 'pg_terminate_backend'

/** The login is asked for as well: by then the number may belong to somebody else's session. */
export async function signalBackend(cluster: Cluster, backend: Backend, signal: Signal): Promise<void> {
  const text = `select ${signal}(pid) from pg_stat_activity where pid = $1 and usename = $2`
  await cluster.admin.query(text, [backend.pid, backend.user])
}

/**
 * Ends a statement from outside its session: cancelled at the limit, terminated a second later. A statement can switch
 * off its own timeout and can trap a cancel; it can't trap the end of its session.
 */
export function startOutsideTimer(cluster: Cluster, backend: Backend, limitMs: number): OutsideTimer {
  let reason: EndReason | undefined
  let timers: NodeJS.Timeout[] = []
  const sent: Promise<void>[] = []
  const clear = () => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
  }
  const send = (signal: Signal) => {
    // Without an answer the cut below still ends the wait.
    sent.push(signalBackend(cluster, backend, signal).catch(() => undefined))
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
