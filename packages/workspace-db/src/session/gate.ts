import { endedError, WorkspaceDbError } from '../errors.ts'

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
  readonly turn: string
  readonly admit: () => void
  readonly refuse: () => void
}

const BUSY = 'Too many statements are running in this workspace. Try again in a moment.'

const busyError = () => new WorkspaceDbError({ code: 'busy', message: BUSY })

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
   * Fewest sessions per workspace, then per person, then longest wait. By person first, a workspace of a hundred people
   * would always win.
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

  /** One person's many calls must not keep others from queueing. */
  function evictWaiter(key: string, turn: string): void {
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
      evictWaiter(key, turn)
      return wait(key, turn, signal)
    },
  }
}
