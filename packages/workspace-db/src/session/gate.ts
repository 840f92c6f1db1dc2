import { endedError, WorkspaceDbError } from '../errors.ts'

export interface GateLimits {
  /** Sessions of one workspace at the same time. */
  readonly perWorkspace: number
  /** Sessions of all workspaces at the same time. */
  readonly total: number
  /** Sessions beyond the total for workspaces that have none: nobody waits for somebody else's long queries. */
  readonly reserved?: number
  /** Callers of one workspace that may wait; past that, whoever has the most waiting gives one up. */
  readonly waiting: number
  readonly waitMs: number
}

interface Entering {
  readonly signal?: AbortSignal | undefined
  /** Callers of one person share that person's turns; callers without one share theirs. */
  readonly person?: string | undefined
}

/**
 * Counts the sessions of this process but for those of runs, which are counted over all processes when they are claimed.
 * Other processes have gates of their own; Postgres' connection limits hold for all.
 */
export interface Gate {
  enter(key: string, entering?: Entering): Promise<() => void>
  /** Whether one more session would be let in at once. */
  hasRoom(key: string): boolean
}

interface Waiter {
  readonly key: string
  readonly turn: string
  readonly admit: () => void
  readonly refuse: () => void
}

const BUSY = 'Too many statements are running in this workspace. Try again in a moment.'

const busyError = () => new WorkspaceDbError({ code: 'busy', message: BUSY })

/** How many of something there are, by name; a name without any is forgotten. */
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
  const running = createCounts()
  const waiting = createCounts()
  const waiters = new Set<Waiter>()
  let total = 0

  const hasRoom = (key: string) => {
    const mine = running.get(key)
    const most = limits.total + (mine === 0 ? (limits.reserved ?? 0) : 0)
    return total < most && mine < limits.perWorkspace
  }

  /**
   * The longest waiting of those whose workspace, then whose person, has the fewest sessions. By the person first, a
   * workspace of a hundred people would always go before one whose only person has a session already.
   */
  function findNext(): Waiter | undefined {
    let next: Waiter | undefined
    for (const waiter of waiters) {
      if (!hasRoom(waiter.key)) continue
      const fewer =
        next && (running.get(waiter.key) - running.get(next.key) || running.get(waiter.turn) - running.get(next.turn))
      if (fewer === undefined || fewer < 0) next = waiter
    }
    return next
  }

  function take(key: string, turn: string): () => void {
    total += 1
    running.add(key, 1)
    running.add(turn, 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      total -= 1
      running.add(key, -1)
      running.add(turn, -1)
      for (let next = findNext(); next; next = findNext()) next.admit()
    }
  }

  /** Somebody who sends a hundred calls at once must not keep the others of the workspace from waiting at all. */
  function makePlace(key: string, turn: string): void {
    if (waiting.get(key) < limits.waiting) return
    const newestFirst = [...waiters].filter((waiter) => waiter.key === key).toReversed()
    const most = Math.max(0, ...newestFirst.map((waiter) => waiting.get(waiter.turn)))
    const loser = newestFirst.find((waiter) => waiting.get(waiter.turn) === most)
    if (!loser || most <= waiting.get(turn) + 1) throw busyError()
    loser.refuse()
  }

  function wait(key: string, turn: string, signal: AbortSignal | undefined): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const leave = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      if (!waiters.delete(waiter)) return
      waiting.add(key, -1)
      waiting.add(turn, -1)
    }
    const end = (error: WorkspaceDbError) => {
      leave()
      reject(error)
    }
    const waiter: Waiter = {
      key,
      turn,
      admit: () => {
        leave()
        resolve(take(key, turn))
      },
      refuse: () => end(busyError()),
    }
    const onAbort = () => end(endedError('abort'))
    const timer = setTimeout(waiter.refuse, limits.waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    waiters.add(waiter)
    waiting.add(key, 1)
    waiting.add(turn, 1)
    return promise
  }

  return {
    hasRoom,
    async enter(key, { signal, person = '' } = {}) {
      if (signal?.aborted) throw endedError('abort')
      const turn = `${key} ${person}`
      if (hasRoom(key) && waiting.get(key) === 0) return take(key, turn)
      makePlace(key, turn)
      return wait(key, turn, signal)
    },
  }
}
