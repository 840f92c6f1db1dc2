import { endedError, WorkspaceDbError } from '../errors.ts'

export interface GateLimits {
  /** Sessions of one workspace at the same time. */
  readonly perWorkspace: number
  /** Sessions of all workspaces at the same time. */
  readonly total: number
  /** Callers of one workspace that may wait; the next one is turned away at once. */
  readonly waiting: number
  readonly waitMs: number
}

/** Counts the sessions of this process. Other processes have their own; Postgres' connection limits hold for all. */
export interface Gate {
  enter(key: string, signal?: AbortSignal): Promise<() => void>
}

interface Waiter {
  readonly key: string
  readonly admit: () => void
}

const BUSY = 'Too many statements are running in this workspace. Try again in a moment.'

export function createGate(limits: GateLimits): Gate {
  const running = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let total = 0

  const hasRoom = (key: string) => total < limits.total && (running.get(key) ?? 0) < limits.perWorkspace
  const waitingFor = (key: string) => [...waiters].filter((waiter) => waiter.key === key).length

  function take(key: string): () => void {
    total += 1
    running.set(key, (running.get(key) ?? 0) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      total -= 1
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
      for (const waiter of waiters) if (hasRoom(waiter.key)) waiter.admit()
    }
  }

  function wait(key: string, signal: AbortSignal | undefined): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      waiters.delete(waiter)
    }
    const waiter: Waiter = {
      key,
      admit: () => {
        leave()
        resolve(take(key))
      },
    }
    const onAbort = () => {
      leave()
      reject(endedError('abort'))
    }
    const timer = setTimeout(() => {
      leave()
      reject(new WorkspaceDbError({ code: 'busy', message: BUSY }))
    }, limits.waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    waiters.add(waiter)
    return promise
  }

  return {
    async enter(key, signal) {
      if (signal?.aborted) throw endedError('abort')
      if (hasRoom(key) && waitingFor(key) === 0) return take(key)
      if (waitingFor(key) >= limits.waiting) throw new WorkspaceDbError({ code: 'busy', message: BUSY })
      return wait(key, signal)
    },
  }
}
