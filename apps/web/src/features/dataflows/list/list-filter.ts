import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'

export const FILTERS = {
  all: 'All',
  failing: 'Failing',
  running: 'Running',
  paused: 'Paused',
  unpublished: 'Changes to publish',
} as const
export type Filter = keyof typeof FILTERS

const isFailing = ({ status, last_run: run }: DataflowSummary): boolean =>
  status === 'BLOCKED' ||
  status === 'SYSTEM_BLOCKED' ||
  status === 'SYSTEM_EXCEPTION' ||
  run?.state === 'failed' ||
  run?.state === 'needs_decision'

/** Unknown filters in the URL show everything. */
export function isShown(one: DataflowSummary, filter: Filter): boolean {
  if (filter === 'failing') return isFailing(one)
  if (filter === 'running') return one.last_run?.state === 'running' || (one.status === 'PENDING' && one.is_live)
  if (filter === 'paused') return one.is_paused
  return filter === 'unpublished' ? one.has_unpublished : true
}
