import type { RunStatus, TaskStatus } from '@trellis/contract/dataflows/dataflow-words'

const TASK_OF_RUN: Readonly<Record<RunStatus, TaskStatus>> = {
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
  readonly isWorkspaceBlocked: boolean
  readonly lastRun: { readonly status: RunStatus; readonly startedAt: number } | null
  readonly upstream: readonly { readonly status: RunStatus; readonly endedAt: number | null }[]
}

/** BLOCKED: an upstream failed since this block's last run. */
export function computeTaskStatus({ isSetUp, isWorkspaceBlocked, lastRun, upstream }: TaskFacts): TaskStatus {
  if (!isSetUp) return 'SETUP_INCOMPLETE'
  const taskStatus = lastRun && TASK_OF_RUN[lastRun.status]
  if (taskStatus === 'RUNNING' || taskStatus === 'PENDING') return taskStatus
  if (isWorkspaceBlocked) return 'SYSTEM_BLOCKED'
  const startedAt = lastRun?.startedAt ?? Number.NEGATIVE_INFINITY
  const isHeldUp = upstream.some(
    ({ status, endedAt }) => (status === 'FAILED' || status === 'EXCEPTION') && (endedAt ?? 0) > startedAt,
  )
  return isHeldUp ? 'BLOCKED' : (taskStatus ?? 'PENDING')
}
