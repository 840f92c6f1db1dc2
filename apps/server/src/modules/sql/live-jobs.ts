import { EventEmitter, once } from 'node:events'
import type { JobProgress, JobRow } from './sql-jobs.repository.ts'
import type { PendingRows } from './result-store.ts'

interface Live {
  readonly cancel: () => void
  readonly finished: Promise<void>
}

/** Other processes see only what it wrote to the database and the object store. */
export interface LiveJob extends Live {
  readonly owner: { readonly workspaceId: number; readonly profileId: number }
  readonly row: () => JobRow
  /** Immediate in this process; others learn with the next heartbeat. */
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
    publishJobChange(id)
  })
}

export const findTransactionHere = (id: string): Live | undefined => transactions.get(id)

/** A worksheet's transaction in manual commit mode. */
export function registerLiveTransaction(id: string, transaction: Live): void {
  transactions.set(id, transaction)
  void transaction.finished.finally(() => {
    transactions.delete(id)
    publishJobChange(id)
  })
}

export const publishJobChange = (id: string): boolean => changes.emit(id)

export async function waitForChange(id: string, ms: number, signal: AbortSignal): Promise<void> {
  await once(changes, id, { signal: AbortSignal.any([signal, AbortSignal.timeout(ms)]) }).catch(() => undefined)
}

/** On shutdown: cancels statements, rolls back transactions, and settles both before the database closes. */
export async function stopLiveJobs(): Promise<void> {
  const running = [...jobs.values(), ...transactions.values()]
  for (const job of running) job.cancel()
  await Promise.allSettled(running.map((job) => job.finished))
}
