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
export function isShown(dataflowSummary: DataflowSummary, filter: Filter): boolean {
  if (filter === 'failing') return isFailing(dataflowSummary)
  if (filter === 'running')
    return (
      dataflowSummary.last_run?.state === 'running' || (dataflowSummary.status === 'PENDING' && dataflowSummary.is_live)
    )
  if (filter === 'paused') return dataflowSummary.is_paused
  return filter === 'unpublished' ? dataflowSummary.has_unpublished : true
}
