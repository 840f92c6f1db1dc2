import { setTimeout as sleep } from 'node:timers/promises'
import { isOutOfConnections } from '@trellis/workspace-db/errors'
import type { Session } from '@trellis/workspace-db/session'
import { RunFault, type RunWork } from '../../runner/run-work.ts'

export type WaitingAttempt = Pick<RunWork, 'signal' | 'log'>

const FIRST_WAIT_MS = 250
const MAX_WAIT_MS = 4000
/** Runs that hold one session and wait for a second could deadlock. */
const GIVE_UP_MS = 60_000
const NONE_LEFT = 'All connections to the database are in use.'

/**
 * The claim reserves sessions, but other clients use the same server. Waits, then requeues the run without costing an
 * attempt.
 */
export async function whenConnected<T>(
  { signal, log }: WaitingAttempt,
  work: (session: Session) => Promise<T>,
  open: (begin: (session: Session) => Promise<T>) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + GIVE_UP_MS
  let hasBegun = false
  const begin = async (session: Session) => {
    hasBegun = true
    return await work(session)
  }
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await open(begin)
    } catch (error) {
      if (hasBegun || !isOutOfConnections(error)) throw error
      if (performance.now() > giveUpAt) throw new RunFault('transient', NONE_LEFT, { isDeferred: true, cause: error })
      if (waitMs === FIRST_WAIT_MS) log('INFO', `${NONE_LEFT} The run waits for one.`)
      await sleep(waitMs * (0.5 + Math.random()), undefined, { signal })
    }
  }
}
