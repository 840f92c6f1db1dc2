import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'

/** `QUEUED` again is a new attempt. FAILED: the user can fix it or cancelled it. EXCEPTION: our fault. */
export const RUN_TRANSITIONS: Readonly<Record<RunStatus, readonly RunStatus[]>> = {
  QUEUED: ['SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'FAILED', 'EXCEPTION'],
  SYSTEM_BLOCKED: ['QUEUED', 'FAILED', 'EXCEPTION'],
  SYSTEM_DEQUEUED: ['PROVISIONING', 'QUEUED', 'SYSTEM_BLOCKED', 'FAILED', 'EXCEPTION'],
  PROVISIONING: ['INITIALIZING', 'QUEUED', 'FAILED', 'EXCEPTION'],
  INITIALIZING: ['RUNNING', 'QUEUED', 'FAILED', 'EXCEPTION'],
  RUNNING: ['SUCCESS', 'QUEUED', 'FAILED', 'EXCEPTION'],
  SUCCESS: [],
  FAILED: [],
  EXCEPTION: [],
}

export const isTerminal = (status: RunStatus): boolean => RUN_TRANSITIONS[status].length === 0
/** A worker has a lease; if it loses the lease, it loses the run. */
export const isHeld = (status: RunStatus): boolean =>
  ['SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING'].includes(status)
export const canMove = (from: RunStatus, to: RunStatus): boolean => RUN_TRANSITIONS[from].includes(to)

export type RunEvent =
  | {
      readonly kind: 'claimed' | 'prepared' | 'connected' | 'working' | 'loaded' | 'blocked' | 'unblocked' | 'cancelled'
    }
  | { readonly kind: 'retried' }
  | { readonly kind: 'ended'; readonly status: 'FAILED' | 'EXCEPTION' }

/** Undefined: the event is too late or too early, and ignored. */
export function findNextStatus(status: RunStatus, event: RunEvent): RunStatus | undefined {
  const next = event.kind === 'ended' ? event.status : (STEPS[event.kind][status] ?? undefined)
  return next !== undefined && canMove(status, next) ? next : undefined
}

const listTransitionsTo = (to: RunStatus): Partial<Record<RunStatus, RunStatus>> =>
  Object.fromEntries((Object.keys(RUN_TRANSITIONS) as RunStatus[]).map((status) => [status, to]))

const STEPS: Readonly<Record<Exclude<RunEvent['kind'], 'ended'>, Partial<Record<RunStatus, RunStatus>>>> = {
  claimed: { QUEUED: 'SYSTEM_DEQUEUED' },
  prepared: { SYSTEM_DEQUEUED: 'PROVISIONING' },
  connected: { PROVISIONING: 'INITIALIZING' },
  working: { INITIALIZING: 'RUNNING' },
  loaded: { RUNNING: 'SUCCESS' },
  blocked: { QUEUED: 'SYSTEM_BLOCKED', SYSTEM_DEQUEUED: 'SYSTEM_BLOCKED' },
  unblocked: { SYSTEM_BLOCKED: 'QUEUED' },
  retried: listTransitionsTo('QUEUED'),
  cancelled: listTransitionsTo('FAILED'),
}
