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

export const toOneLine = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim().slice(0, 300)

export const formatQueryOwner = ({ person, login, kind, is_mine }: RunningQuery): string =>
  is_mine ? 'You' : (person ?? login ?? (kind === 'platform' ? 'Trellis' : 'A former member'))

export function formatQuerySource({ kind, application, login }: RunningQuery): string {
  if (kind === 'worksheet') return 'Worksheet'
  return kind === 'platform' ? 'Preview, export or load' : (application ?? login ?? 'Tool')
}

export const formatBlockers = ({ blocked_by }: Pick<RunningQuery, 'blocked_by'>): string =>
  `Waiting for a lock of ${blocked_by.map(({ who }) => who).join(', ')}`
