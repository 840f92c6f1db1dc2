import { setTimeout as sleep } from 'node:timers/promises'
import { isOutOfConnectionsError } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { RunFault, type RunWork } from '../../runner/run-work.ts'

export type WaitingAttempt = Pick<RunWork, 'signal' | 'log'>

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 4000
/** Runs that hold one session and wait for a second could deadlock. */
const MAX_TOTAL_WAIT_MS = 60_000
const NO_CONNECTION_LEFT = 'All connections to the database are in use.'

/**
 * The claim reserves sessions, but other clients use the same server. Waits, then requeues the run without costing an
 * attempt.
 */
export async function whenConnected<T>(
  { signal, log }: WaitingAttempt,
  work: (session: Session) => Promise<T>,
  open: (runWork: (session: Session) => Promise<T>) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + MAX_TOTAL_WAIT_MS
  let hasStarted = false
  const runOnce = async (session: Session) => {
    hasStarted = true
    return await work(session)
  }
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await open(runOnce)
    } catch (error) {
      if (hasStarted || !isOutOfConnectionsError(error)) throw error
      if (performance.now() > giveUpAt)
        throw new RunFault('transient', NO_CONNECTION_LEFT, { isDeferred: true, cause: error })
      if (waitMs === FIRST_WAIT_MS) log('INFO', `${NO_CONNECTION_LEFT} The run waits for one.`)
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
    }
  }
}
