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
