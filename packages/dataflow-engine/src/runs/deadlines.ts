import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import { formatDuration } from '../schedules/in-words.ts'
import { isHeld } from './run-states.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Without these limits an abandoned run would stay in its status forever. */
export const STATE_LIMITS: Readonly<Partial<Record<RunStatus, number>>> = {
  QUEUED: DAY,
  SYSTEM_BLOCKED: 7 * DAY,
  SYSTEM_DEQUEUED: MINUTE,
  PROVISIONING: 2 * MINUTE,
  INITIALIZING: 10 * MINUTE,
  RUNNING: DAY,
}

export interface UnfinishedRun {
  readonly status: RunStatus
  readonly since: number
  readonly runningLimitMs?: number
}

const getLimit = ({ status, runningLimitMs }: UnfinishedRun): number | undefined =>
  status === 'RUNNING' ? (runningLimitMs ?? STATE_LIMITS.RUNNING) : STATE_LIMITS[status]

export function computeDeadline(run: UnfinishedRun): number | null {
  const limit = getLimit(run)
  return limit === undefined ? null : run.since + limit
}

export type OverdueAction =
  | { readonly do: 'retry'; readonly reason: string }
  | { readonly do: 'end'; readonly status: 'FAILED' | 'EXCEPTION'; readonly reason: string }

export function findOverdue(run: UnfinishedRun, now: number): OverdueAction | undefined {
  const limit = getLimit(run)
  if (limit === undefined || now < run.since + limit) return undefined
  const limitText = formatDuration(limit)
  switch (run.status) {
    case 'QUEUED':
      return { do: 'end', status: 'EXCEPTION', reason: `No worker took it up within ${limitText}.` }
    case 'SYSTEM_BLOCKED':
      return {
        do: 'end',
        status: 'FAILED',
        reason: `It was paused for ${limitText}. Renew the plan or make room, then run it again.`,
      }
    case 'RUNNING':
      return {
        do: 'end',
        status: 'FAILED',
        reason: `It ran longer than ${limitText}. Read less at a time or raise the limit of the block.`,
      }
    default:
      return isHeld(run.status)
        ? { do: 'retry', reason: `Its worker did not get it going within ${limitText}.` }
        : undefined
  }
}
