import type { Workspace } from '@trellis/contract/workspaces/workspaces.schemas'

export const TICK_MS = 100
const STEP = 100 / 70
const THRESHOLDS = [25, 50, 75]

export const STAGES = [
  'Preparing integrations...',
  'Spinning up your database...',
  'Creating your data canvas...',
  'Workspace successfully set up!',
] as const

/** About 7 seconds from 0 to 100. Stops before the last stage, which claims success, until the database is ready. */
export function getNextPercent(percent: number, state: Workspace['state']): number {
  if (state === 'failed') return percent
  const next = Math.min(100, percent + STEP)
  return state === 'provisioning' ? Math.min(next, 74) : next
}

export function getStage(percent: number): string {
  const index = THRESHOLDS.filter((threshold) => percent >= threshold).length
  return STAGES[index] ?? STAGES[3]
}
