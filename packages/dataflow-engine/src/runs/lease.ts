/** All times are the database's, since workers' clocks may differ. */
interface Lease {
  readonly worker: string
  /** Fencing token: rises with every claim and cancel; a load commits only with the current one. */
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

export function claimRun(run: LeasedRun, worker: string, now: number): LeasedRun | undefined {
  if (run.isEnded || (run.lease && !isExpired(run.lease, now))) return undefined
  const epoch = run.epoch + 1
  return { ...run, epoch, lease: { worker, epoch, until: now + LEASE_MS } }
}

/** An expired lease can be renewed until another worker claims it. Undefined: stop at once. */
export function renewLease(run: LeasedRun, epoch: number, now: number): LeasedRun | undefined {
  if (run.isEnded || run.lease?.epoch !== epoch || run.epoch !== epoch) return undefined
  return { ...run, lease: { ...run.lease, until: now + LEASE_MS } }
}

/**
 * The epoch rises first, in the workspace's database too, so that late writes are refused. In the control database
 * alone it would not stop a load.
 */
export const raiseEpoch = (run: LeasedRun): LeasedRun => ({ ...run, epoch: run.epoch + 1, lease: null })

export const canReap = (run: LeasedRun, now: number): boolean =>
  !run.isEnded && run.lease !== null && isExpired(run.lease, now)
