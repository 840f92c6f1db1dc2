import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'

export const FILTERS = {
  all: 'All',
  failing: 'Failing',
  running: 'Running',
  paused: 'Paused',
  unpublished: 'Changes to publish',
} as const
export type Filter = keyof typeof FILTERS

const FAILING = new Set<DataflowSummary['status']>(['FAILED', 'BLOCKED', 'SYSTEM_BLOCKED', 'SYSTEM_EXCEPTION'])

/** A filter nobody knows, as an address may hold, shows everything. */
export function isShown(one: DataflowSummary, filter: Filter): boolean {
  if (filter === 'failing') return FAILING.has(one.status)
  if (filter === 'running') return one.status === 'RUNNING' || (one.status === 'PENDING' && one.is_live)
  if (filter === 'paused') return one.is_paused
  return filter === 'unpublished' ? one.has_unpublished : true
}
