import { inverse, type Change } from './changes.ts'

export interface History {
  past: readonly Change[]
  future: readonly Change[]
}

export const NO_HISTORY: History = { past: [], future: [] }
const MAX_ENTRIES = 200

/** Something new was done: what had been taken back can't be done again. */
export function remember({ past }: History, change: Change): History {
  const last = past.at(-1)
  const isSameBurst =
    last?.kind === 'place' && change.kind === 'place' && change.burst !== undefined && last.burst === change.burst
  const steps = isSameBurst ? [...past.slice(0, -1), { ...change, from: last.from }] : [...past, change]
  return { past: steps.slice(-MAX_ENTRIES), future: [] }
}

/** The change to carry out for going back or forth one step; undefined when there is none. */
export function nextStep(history: History, way: 'undo' | 'redo'): Change | undefined {
  const change = way === 'undo' ? history.past.at(-1) : history.future.at(-1)
  return change && (way === 'undo' ? inverse(change) : change)
}

/** After the step was carried out as `made`, which knows more than the plan did: arrows lost, codes given. */
export function stepped({ past, future }: History, way: 'undo' | 'redo', made: Change): History {
  return way === 'undo'
    ? { past: past.slice(0, -1), future: [...future, inverse(made)] }
    : { past: [...past, made], future: future.slice(0, -1) }
}

/** A step that can't be carried out any more is forgotten, so that the ones before it can. */
export const dropped = ({ past, future }: History, way: 'undo' | 'redo'): History =>
  way === 'undo' ? { past: past.slice(0, -1), future } : { past, future: future.slice(0, -1) }

/** Something that was brought back has another code now. */
export function withNewCode<T extends History | Change>(told: T, from: string, to: string): T {
  const swap = (value: unknown): unknown => {
    if (value === from) return to
    if (Array.isArray(value)) return value.map(swap)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key === from ? to : key, swap(inner)]))
  }
  return swap(told) as T
}
