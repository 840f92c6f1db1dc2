import type { TaskStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { FLOW_STATE_LABELS } from '../../running/flow-run-states.ts'
import type { Tone } from '../../ui/feedback/Status.tsx'

export interface StatusLabel {
  text: string
  tone: Tone
  isBusy?: boolean
}

const TASK_STATUS_LABELS: Record<TaskStatus, StatusLabel> = {
  SETUP_INCOMPLETE: { text: 'Not set up', tone: 'neutral' },
  PENDING: { text: 'Waiting', tone: 'info' },
  RUNNING: { text: 'Running', tone: 'info', isBusy: true },
  SUCCESS: { text: 'Succeeded', tone: 'success' },
  FAILED: { text: 'Failed', tone: 'danger' },
  BLOCKED: { text: 'Blocked', tone: 'warning' },
  SYSTEM_BLOCKED: { text: 'Paused', tone: 'warning' },
  SYSTEM_EXCEPTION: { text: 'System error', tone: 'danger' },
}

/** Never published: no trigger applies. */
function getTaskStatusLabel(status: TaskStatus, isLive: boolean): StatusLabel {
  return status === 'PENDING' && !isLive ? { text: 'Ready to publish', tone: 'neutral' } : TASK_STATUS_LABELS[status]
}

export function getBlockStatusLabel(block: Pick<BlockCard, 'status' | 'published_version' | 'last_run'>): StatusLabel {
  if (block.status === 'FAILED' && block.last_run?.waiting_for) return { text: 'Needs a decision', tone: 'warning' }
  return getTaskStatusLabel(block.status, block.published_version !== null)
}

/** The last run's state, unless nothing can run or nothing ever did. */
export function getFlowStatusLabel({ status, is_live, last_run }: FlowStatus): StatusLabel {
  if (last_run === null || status === 'SYSTEM_BLOCKED') return getTaskStatusLabel(status, is_live)
  const { word, tone } = FLOW_STATE_LABELS[last_run.state]
  return { text: word, tone, isBusy: last_run.state === 'running' }
}
type FlowStatus = Pick<DataflowSummary, 'status' | 'is_live' | 'last_run'>

export const PUBLISH_STATE_LABELS: Record<BlockCard['publish_state'], StatusLabel> = {
  never: { text: 'Never published', tone: 'warning' },
  published: { text: 'Published', tone: 'success' },
  changed: { text: 'Changed', tone: 'accent' },
  incomplete: { text: 'Incomplete', tone: 'warning' },
  invalid: { text: 'Invalid', tone: 'danger' },
}

export const formatFaultCount = (count: number): string =>
  count === 1 ? '1 problem to fix' : `${count} problems to fix`
