import { createHash } from 'node:crypto'

export const SLOT_PREFIX = 'trellis_'

/** Stable per subtask, and unique across workspaces and installations. */
export function toSlotName(workspaceCode: string, blockCode: string, subtask: string): string {
  const named = JSON.stringify([workspaceCode, blockCode, subtask])
  return SLOT_PREFIX + createHash('sha256').update(named).digest('hex').slice(0, 32)
}
