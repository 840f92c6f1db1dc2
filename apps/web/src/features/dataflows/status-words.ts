import type { RunStatus, TaskStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { BlockCard } from '@trellis/contract/dataflows/task-blocks.schemas'
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

/** What was never published waits for nothing: no trigger reaches it. */
export function getTaskWord(status: TaskStatus, isLive: boolean): Word {
  return status === 'PENDING' && !isLive ? { text: 'Ready to publish', tone: 'neutral' } : TASK_WORDS[status]
}

export const getBlockWord = (block: Pick<BlockCard, 'status' | 'published_version'>): Word =>
  getTaskWord(block.status, block.published_version !== null)

export const RUN_WORDS: Record<RunStatus, Word> = {
  QUEUED: { text: 'Queued', tone: 'info' },
  SYSTEM_DEQUEUED: { text: 'Starting', tone: 'info', isBusy: true },
  SYSTEM_BLOCKED: { text: 'Paused', tone: 'warning' },
  PROVISIONING: { text: 'Starting', tone: 'info', isBusy: true },
  INITIALIZING: { text: 'Starting', tone: 'info', isBusy: true },
  RUNNING: { text: 'Running', tone: 'info', isBusy: true },
  SUCCESS: { text: 'Succeeded', tone: 'success' },
  FAILED: { text: 'Failed', tone: 'danger' },
  EXCEPTION: { text: 'System error', tone: 'danger' },
}

export const PUBLISH_WORDS: Record<BlockCard['publish_state'], Word> = {
  never: { text: 'Never published', tone: 'warning' },
  published: { text: 'Published', tone: 'success' },
  changed: { text: 'Changed', tone: 'accent' },
  incomplete: { text: 'Incomplete', tone: 'warning' },
  invalid: { text: 'Invalid', tone: 'danger' },
}

export const faultsText = (count: number): string => (count === 1 ? '1 problem to fix' : `${count} problems to fix`)
