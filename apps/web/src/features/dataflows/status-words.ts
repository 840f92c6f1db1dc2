import type { TaskStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { DataflowSummary } from '@trellis/contract/dataflows/dataflows.schemas'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
import { FLOW_STATE_WORDS } from '../../running/flow-run-states.ts'
import type { Tone } from '../../ui/feedback/Status.tsx'

export interface Word {
  text: string
  tone: Tone
  isBusy?: boolean
}

const TASK_WORDS: Record<TaskStatus, Word> = {
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
function getTaskWord(status: TaskStatus, isLive: boolean): Word {
  return status === 'PENDING' && !isLive ? { text: 'Ready to publish', tone: 'neutral' } : TASK_WORDS[status]
}

export function getBlockWord(block: Pick<BlockCard, 'status' | 'published_version' | 'last_run'>): Word {
  if (block.status === 'FAILED' && block.last_run?.waiting_for) return { text: 'Needs a decision', tone: 'warning' }
  return getTaskWord(block.status, block.published_version !== null)
}

/** The last run's state, unless nothing can run or nothing ever did. */
export function getFlowWord({ status, is_live, last_run }: FlowStanding): Word {
  if (last_run === null || status === 'SYSTEM_BLOCKED') return getTaskWord(status, is_live)
  const { word, tone } = FLOW_STATE_WORDS[last_run.state]
  return { text: word, tone, isBusy: last_run.state === 'running' }
}
type FlowStanding = Pick<DataflowSummary, 'status' | 'is_live' | 'last_run'>

export const PUBLISH_WORDS: Record<BlockCard['publish_state'], Word> = {
  never: { text: 'Never published', tone: 'warning' },
  published: { text: 'Published', tone: 'success' },
  changed: { text: 'Changed', tone: 'accent' },
  incomplete: { text: 'Incomplete', tone: 'warning' },
  invalid: { text: 'Invalid', tone: 'danger' },
}

export const formatFaultCount = (count: number): string =>
  count === 1 ? '1 problem to fix' : `${count} problems to fix`
