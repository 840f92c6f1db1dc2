import type { RunningQuery } from '@trellis/contract/sql/running.schemas'
import type { JobStatus } from '@trellis/contract/sql/sql.schemas'
import type { Tone } from '../../ui/feedback/Status.tsx'

export const JOB_STATES: Record<JobStatus, { text: string; tone: Tone }> = {
  queued: { text: 'Queued', tone: 'neutral' },
  running: { text: 'Running', tone: 'info' },
  completed: { text: 'Completed', tone: 'success' },
  failed: { text: 'Failed', tone: 'danger' },
  cancelled: { text: 'Cancelled', tone: 'neutral' },
}

export const RUNNING_STATES: Record<RunningQuery['state'], { text: string; tone: Tone }> = {
  queued: { text: 'Queued', tone: 'neutral' },
  running: { text: 'Running', tone: 'info' },
  idle_in_transaction: { text: 'Idle in transaction', tone: 'warning' },
}

const MINUTE = 60
const HOUR = 3600

/** `0.4 s`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < MINUTE) return `${Math.floor(seconds)} s`
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ${Math.floor(seconds % MINUTE)} s`
  return `${Math.floor(seconds / HOUR)} h ${Math.floor((seconds % HOUR) / MINUTE)} min`
}

/** The beginning of a query as one line. */
export const toOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, 300)

export const whoText = ({ person, login, kind, is_mine }: RunningQuery): string =>
  is_mine ? 'You' : (person ?? login ?? (kind === 'platform' ? 'Trellis' : 'A former member'))

export function sourceText({ kind, application, login }: RunningQuery): string {
  if (kind === 'worksheet') return 'Worksheet'
  return kind === 'platform' ? 'Preview, export or load' : (application ?? login ?? 'Tool')
}

export const blockedText = ({ blocked_by }: Pick<RunningQuery, 'blocked_by'>): string =>
  `Waiting for a lock of ${blocked_by.map(({ who }) => who).join(', ')}`
