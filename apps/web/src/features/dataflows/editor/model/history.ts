import { invertChange, type Change } from './changes.ts'

export interface History {
  past: readonly Change[]
  future: readonly Change[]
}

export const NO_HISTORY: History = { past: [], future: [] }
const MAX_ENTRIES = 200

/** A new change clears the redo stack. */
export function pushStep({ past }: History, change: Change): History {
  const last = past.at(-1)
  const isSameBurst =
    last?.kind === 'place' && change.kind === 'place' && change.burst !== undefined && last.burst === change.burst
  const steps = isSameBurst ? [...past.slice(0, -1), { ...change, from: last.from }] : [...past, change]
  return { past: steps.slice(-MAX_ENTRIES), future: [] }
}

export function getNextStep(history: History, direction: 'undo' | 'redo'): Change | undefined {
  const change = direction === 'undo' ? history.past.at(-1) : history.future.at(-1)
  return change && (direction === 'undo' ? invertChange(change) : change)
}

/** `made` is the change as carried out, with lost arrows and new codes. */
export function moveStep({ past, future }: History, direction: 'undo' | 'redo', createdChange: Change): History {
  return direction === 'undo'
    ? { past: past.slice(0, -1), future: [...future, invertChange(createdChange)] }
    : { past: [...past, createdChange], future: future.slice(0, -1) }
}

/** Drops a step that can no longer be carried out, so that earlier ones can. */
export const dropStep = ({ past, future }: History, direction: 'undo' | 'redo'): History =>
  direction === 'undo' ? { past: past.slice(0, -1), future } : { past, future: future.slice(0, -1) }

/** A restored block or group has a new code. */
export function withNewCode<T extends History | Change>(told: T, from: string, to: string): T {
  const swap = (value: unknown): unknown => {
    if (value === from) return to
    if (Array.isArray(value)) return value.map(swap)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key === from ? to : key, swap(inner)]))
  }
  return swap(told) as T
}
