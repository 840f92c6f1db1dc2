/** Times are the database's: workers' clocks may differ. */
interface Lease {
  readonly worker: string
  /** Rises with every claim and every cancel; a load commits only under the number that stands. */
  readonly epoch: number
  readonly until: number
}

export const LEASE_MS = 20_000
export const HEARTBEAT_MS = 5000

export interface LeasedRun {
  readonly epoch: number
  readonly lease: Lease | null
  readonly isEnded: boolean
}

const isExpired = (lease: Lease, now: number): boolean => now >= lease.until

/** Nothing when somebody else holds it or it has ended. */
export function claim(run: LeasedRun, worker: string, now: number): LeasedRun | undefined {
  if (run.isEnded || (run.lease && !isExpired(run.lease, now))) return undefined
  const epoch = run.epoch + 1
  return { ...run, epoch, lease: { worker, epoch, until: now + LEASE_MS } }
}

/** Also an expired lease may be renewed, as long as nobody has claimed the run since. Nothing: stop at once. */
export function renew(run: LeasedRun, epoch: number, now: number): LeasedRun | undefined {
  if (run.isEnded || run.lease?.epoch !== epoch || run.epoch !== epoch) return undefined
  return { ...run, lease: { ...run.lease, until: now + LEASE_MS } }
}

/**
 * The number rises first, beside the rows too, so that whatever the worker still sends is refused; then it is told. A
 * number that rose only in the control database would stop no load.
 */
export const fenceOff = (run: LeasedRun): LeasedRun => ({ ...run, epoch: run.epoch + 1, lease: null })

export const canReap = (run: LeasedRun, now: number): boolean =>
  !run.isEnded && run.lease !== null && isExpired(run.lease, now)

/** What a load keeps beside the rows in the workspace's database. */
export interface LoadState {
  readonly epoch: number
  readonly isDone: boolean
}

export type FenceDecision =
  | { readonly do: 'write' }
  | { readonly do: 'stop'; readonly reason: string }
  /** An earlier attempt got through and only could not tell. */
  | { readonly do: 'finished' }

/** Asked inside the transaction that writes, with the row locked: an answer from before it began would be worth nothing. */
export function decideFence(state: LoadState | undefined, epoch: number): FenceDecision {
  if (!state) return { do: 'write' }
  if (epoch < state.epoch) return { do: 'stop', reason: 'Another worker has taken this run over, or it was cancelled.' }
  return state.isDone ? { do: 'finished' } : { do: 'write' }
}
