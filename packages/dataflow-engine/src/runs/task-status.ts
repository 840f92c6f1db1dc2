import type { RunStatus, TaskStatus } from '@trellis/contract/dataflows/dataflow-words'

/** A task lives on after a run, so nothing is final; the last three and the waiting ones are where it may rest. */
export const TASK_TRANSITIONS: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  SETUP_INCOMPLETE: ['PENDING'],
  PENDING: ['RUNNING', 'FAILED', 'SYSTEM_EXCEPTION', 'BLOCKED', 'SYSTEM_BLOCKED', 'SETUP_INCOMPLETE'],
  RUNNING: ['SUCCESS', 'FAILED', 'SYSTEM_EXCEPTION', 'PENDING'],
  BLOCKED: ['PENDING', 'SYSTEM_BLOCKED', 'SETUP_INCOMPLETE'],
  SYSTEM_BLOCKED: ['PENDING', 'FAILED', 'SYSTEM_EXCEPTION', 'BLOCKED', 'SETUP_INCOMPLETE'],
  SUCCESS: ['PENDING', 'BLOCKED', 'SYSTEM_BLOCKED', 'SETUP_INCOMPLETE'],
  FAILED: ['PENDING', 'BLOCKED', 'SYSTEM_BLOCKED', 'SETUP_INCOMPLETE'],
  SYSTEM_EXCEPTION: ['PENDING', 'BLOCKED', 'SYSTEM_BLOCKED', 'SETUP_INCOMPLETE'],
}

export const canTaskMove = (from: TaskStatus, to: TaskStatus): boolean => TASK_TRANSITIONS[from].includes(to)

export const TASK_OF_RUN: Readonly<Record<RunStatus, TaskStatus>> = {
  QUEUED: 'PENDING',
  SYSTEM_DEQUEUED: 'PENDING',
  PROVISIONING: 'PENDING',
  INITIALIZING: 'PENDING',
  RUNNING: 'RUNNING',
  SYSTEM_BLOCKED: 'SYSTEM_BLOCKED',
  SUCCESS: 'SUCCESS',
  FAILED: 'FAILED',
  EXCEPTION: 'SYSTEM_EXCEPTION',
}

export interface TaskFacts {
  readonly isSetUp: boolean
  /** The plan has ended or the storage is full. */
  readonly isWorkspaceBlocked: boolean
  readonly lastRun: { readonly status: RunStatus; readonly startedAt: number } | null
  /** Last runs of the blocks it waits for. */
  readonly upstream: readonly { readonly status: RunStatus; readonly endedAt: number | null }[]
}

/** The one word on a block. BLOCKED: something it waits for failed since its own last run. */
export function taskStatusOf({ isSetUp, isWorkspaceBlocked, lastRun, upstream }: TaskFacts): TaskStatus {
  if (!isSetUp) return 'SETUP_INCOMPLETE'
  const own = lastRun && TASK_OF_RUN[lastRun.status]
  if (own === 'RUNNING' || own === 'PENDING') return own
  if (isWorkspaceBlocked) return 'SYSTEM_BLOCKED'
  const startedAt = lastRun?.startedAt ?? Number.NEGATIVE_INFINITY
  const isHeldUp = upstream.some(
    ({ status, endedAt }) => (status === 'FAILED' || status === 'EXCEPTION') && (endedAt ?? 0) > startedAt,
  )
  return isHeldUp ? 'BLOCKED' : (own ?? 'PENDING')
}
