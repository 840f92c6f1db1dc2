import { createEndError, WorkspaceDbError } from '../errors.ts'

export interface GateLimits {
  readonly perWorkspace: number
  readonly total: number
  /** Extra sessions for workspaces without any, so that nobody waits for others' long queries. */
  readonly reserved?: number
  /** Beyond this, the person with the most waiting calls loses one. */
  readonly waiting: number
  readonly waitMs: number
}

interface EnterOptions {
  readonly signal?: AbortSignal | undefined
  /** Fair queueing per person. */
  readonly person?: string | undefined
}

/**
 * Limits sessions of this process. Runs are counted across processes when claimed; Postgres' own limits apply to all.
 */
export interface Gate {
  enter(key: string, entering?: EnterOptions): Promise<() => void>
  hasRoom(key: string): boolean
}

interface Waiter {
  readonly key: string
  /** Workspace and person: `<key> <person>`. */
  readonly personKey: string
  readonly admit: () => void
  readonly refuse: () => void
}

const BUSY_MESSAGE = 'Too many statements are running in this workspace. Try again in a moment.'

const busyError = () => new WorkspaceDbError({ code: 'busy', message: BUSY_MESSAGE })

function createCounts() {
  const counts = new Map<string, number>()
  return {
    get: (name: string) => counts.get(name) ?? 0,
    add(name: string, by: 1 | -1) {
      const count = (counts.get(name) ?? 0) + by
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}

export function createGate(limits: GateLimits): Gate {
  const runningCounts = createCounts()
  const waitingCounts = createCounts()
  const waiters = new Set<Waiter>()
  let total = 0

  const hasRoom = (key: string) => {
    const ownSessions = runningCounts.get(key)
    const maxTotal = limits.total + (ownSessions === 0 ? (limits.reserved ?? 0) : 0)
    return total < maxTotal && ownSessions < limits.perWorkspace
  }

  /**
   * Fewest sessions per workspace, then per person, then longest wait. By person first, a workspace of a hundred people
   * would always win.
   */
  function findNext(): Waiter | undefined {
    let next: Waiter | undefined
    for (const waiter of waiters) {
      if (!hasRoom(waiter.key)) continue
      const difference =
        next &&
        (runningCounts.get(waiter.key) - runningCounts.get(next.key) ||
          runningCounts.get(waiter.personKey) - runningCounts.get(next.personKey))
      if (difference === undefined || difference < 0) next = waiter
    }
    return next
  }

  function occupySlot(key: string, personKey: string): () => void {
    total += 1
    runningCounts.add(key, 1)
    runningCounts.add(personKey, 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      total -= 1
      runningCounts.add(key, -1)
      runningCounts.add(personKey, -1)
      for (let next = findNext(); next; next = findNext()) next.admit()
    }
  }

  /** One person's many calls must not keep others from queueing. */
  function evictWaiter(key: string, personKey: string): void {
    if (waitingCounts.get(key) < limits.waiting) return
    const newestFirst = [...waiters].filter((waiter) => waiter.key === key).toReversed()
    const longestQueue = Math.max(0, ...newestFirst.map((waiter) => waitingCounts.get(waiter.personKey)))
    const evicted = newestFirst.find((waiter) => waitingCounts.get(waiter.personKey) === longestQueue)
    if (!evicted || longestQueue <= waitingCounts.get(personKey) + 1) throw busyError()
    evicted.refuse()
  }

  function waitForSlot(key: string, personKey: string, signal: AbortSignal | undefined): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const stopWaiting = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (!waiters.delete(waiter)) return
      waitingCounts.add(key, -1)
      waitingCounts.add(personKey, -1)
    }
    const rejectWith = (error: WorkspaceDbError) => {
      stopWaiting()
      reject(error)
    }
    const waiter: Waiter = {
      key,
      personKey,
      admit: () => {
        stopWaiting()
        resolve(occupySlot(key, personKey))
      },
      refuse: () => rejectWith(busyError()),
    }
    const onAbort = () => rejectWith(createEndError('abort'))
    const timer = setTimeout(waiter.refuse, limits.waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    waiters.add(waiter)
    waitingCounts.add(key, 1)
    waitingCounts.add(personKey, 1)
    return promise
  }

  return {
    hasRoom,
    async enter(key, { signal, person = '' } = {}) {
      if (signal?.aborted) throw createEndError('abort')
      const personKey = `${key} ${person}`
      if (hasRoom(key) && waitingCounts.get(key) === 0) return occupySlot(key, personKey)
      evictWaiter(key, personKey)
      return waitForSlot(key, personKey, signal)
    },
  }
}
