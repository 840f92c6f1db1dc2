import { useSyncExternalStore } from 'react'
import { unreachableError } from '../../api/api-error.ts'
import type * as work from './work.ts'

export type Work = typeof work

let arrived: Work | null = null
let arriving: Promise<Work> | null = null
const listeners = new Set<() => void>()

/** Loads schemas and calls once; a failed load can be retried. */
export function loadWork(): Promise<Work> {
  arriving ??= loadInSteps().then(
    (loaded) => {
      arrived = loaded
      for (const listener of listeners) listener()
      return loaded
    },
    () => {
      arriving = null
      throw unreachableError()
    },
  )
  return arriving
}

/** In two steps, so that neither blocks typing. */
async function loadInSteps(): Promise<Work> {
  await import('./checks.ts')
  return await import('./work.ts')
}

/** Null until loaded: forms cannot be validated before. */
export function useWork(): Work | null {
  return useSyncExternalStore(
    subscribe,
    () => arrived,
    () => null,
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
