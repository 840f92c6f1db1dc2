import { EventEmitter, once } from 'node:events'
import type { JobProgress, JobRow } from './sql-jobs.repository.ts'
import type { PendingRows } from './result-store.ts'

/** What goes on in this process beyond the call that started it. */
interface Live {
  readonly cancel: () => void
  readonly finished: Promise<void>
}

/** A job that runs in this process: others only see what it wrote to the database and the store. */
export interface LiveJob extends Live {
  readonly owner: { readonly workspaceId: number; readonly profileId: number }
  /** As it stands now, without a look into the database. */
  readonly row: () => JobRow
  /** It was asked for in this process; in another one it is heard with the next heartbeat. */
  readonly keepRunning: () => void
  readonly progress: () => JobProgress
  readonly pendingRows: (statement: number) => PendingRows | undefined
}

const jobs = new Map<string, LiveJob>()
const transactions = new Map<string, Live>()
const changes = new EventEmitter().setMaxListeners(0)

export const findLiveJob = (id: string): LiveJob | undefined => jobs.get(id)

export function registerLiveJob(id: string, job: LiveJob): void {
  jobs.set(id, job)
  void job.finished.finally(() => {
    jobs.delete(id)
    announceChange(id)
  })
}

export const findLiveTransaction = (id: string): Live | undefined => transactions.get(id)

/** An open transaction of a worksheet in manual commit mode. */
export function registerLiveTransaction(id: string, transaction: Live): void {
  transactions.set(id, transaction)
  void transaction.finished.finally(() => {
    transactions.delete(id)
    announceChange(id)
  })
}

export const announceChange = (id: string): boolean => changes.emit(id)

/** Until the job changed in this process, or the time is over. */
export async function waitForChange(id: string, ms: number, signal: AbortSignal): Promise<void> {
  await once(changes, id, { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) }).catch(() => undefined)
}

/** For the end of the process: statements are cancelled, open transactions rolled back, and both settled before the database is closed. */
export async function stopLiveJobs(): Promise<void> {
  const going = [...jobs.values(), ...transactions.values()]
  for (const job of going) job.cancel()
  await Promise.allSettled(going.map((job) => job.finished))
}
