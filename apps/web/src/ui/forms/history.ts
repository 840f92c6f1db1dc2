export interface History<T> {
  past: readonly T[]
  now: T
  future: readonly T[]
  /** The field changed last: further typing in it is one undo step, not one per letter. */
  place: string | null
}

const MAX_STEPS = 200

export const createHistory = <T>(now: T): History<T> => ({ past: [], now, future: [], place: null })

export function recordChange<T>(history: History<T>, now: T, place: string | null): History<T> {
  const goesOn = place !== null && place === history.place
  const past = goesOn ? history.past : [...history.past, history.now].slice(-MAX_STEPS)
  return { past, now, future: [], place }
}

export function undoHistory<T>(history: History<T>): History<T> {
  const last = history.past.at(-1)
  if (last === undefined) return history
  return { past: history.past.slice(0, -1), now: last, future: [history.now, ...history.future], place: null }
}

export function redoHistory<T>(history: History<T>): History<T> {
  const [next, ...future] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.now], now: next, future, place: null }
}
