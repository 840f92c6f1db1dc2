export interface FairTurns {
  take(key: string): Promise<() => void>
}

interface TurnLimits {
  readonly total: number
  /** Below the total, so that one key cannot take every slot. */
  readonly perKey: number
  readonly waitMs: number
}

/** too_many_connections: callers retry. */
const BUSY = '53300'

interface Waiter {
  readonly admit: () => void
}

/** The waiting key with the fewest slots goes first. */
export function createFairTurns({ total, perKey, waitMs }: TurnLimits): FairTurns {
  const taken = new Map<string, number>()
  const queues = new Map<string, Set<Waiter>>()
  let free = total

  const count = (key: string) => taken.get(key) ?? 0
  const hasRoom = (key: string) => free > 0 && count(key) < perKey

  function takeTurn(key: string): () => void {
    free -= 1
    taken.set(key, count(key) + 1)
    let isOpen = true
    return () => {
      if (!isOpen) return
      isOpen = false
      free += 1
      if (count(key) === 1) taken.delete(key)
      else taken.set(key, count(key) - 1)
      admitNext()
    }
  }

  function findNextKey(): string | undefined {
    let next: string | undefined
    for (const key of queues.keys()) {
      if (hasRoom(key) && (next === undefined || count(key) < count(next))) next = key
    }
    return next
  }

  function admitNext(): void {
    for (let key = findNextKey(); key !== undefined; key = findNextKey()) {
      const [waiter] = queues.get(key) ?? []
      waiter?.admit()
    }
  }

  function wait(key: string): Promise<() => void> {
    const { promise, resolve, reject } = Promise.withResolvers<() => void>()
    const queue = queues.get(key) ?? new Set()
    queues.set(key, queue)
    const leave = () => {
      clearTimeout(timer)
      queue.delete(waiter)
      queues.delete(key)
      if (queue.size > 0) queues.set(key, queue)
    }
    const waiter: Waiter = {
      admit: () => {
        leave()
        resolve(takeTurn(key))
      },
    }
    const timer = setTimeout(() => {
      leave()
      reject(Object.assign(new Error('There was no free connection to the control database in time.'), { code: BUSY }))
    }, waitMs)
    queue.add(waiter)
    return promise
  }

  return {
    take: (key) => (hasRoom(key) && !queues.has(key) ? Promise.resolve(takeTurn(key)) : wait(key)),
  }
}
