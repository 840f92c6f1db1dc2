import type { Budget } from '../context.ts'

/** Time that passes only by waiting, so that tests of backoff are fast. */
export interface VirtualTime {
  now(): Date
  wait(ms: number): Promise<void>
  readonly budget: Budget
  readonly spent: number
}

export function createVirtualTime(start: Date, signal: AbortSignal): VirtualTime {
  let at = start.getTime()
  let pausedUntil = at
  let nextFree = at
  let spent = 0
  const pass = async (until: number) => {
    // Yields to the event loop, so that an endless loop can still be cancelled.
    await new Promise((resolve) => setImmediate(resolve))
    signal.throwIfAborted()
    at = Math.max(at, until)
  }
  return {
    now: () => new Date(at),
    wait: (ms) => pass(at + ms),
    get spent() {
      return spent
    },
    budget: {
      async take(cost, rule) {
        const from = Math.max(at, pausedUntil, nextFree)
        nextFree = from + (cost * rule.seconds * 1000) / rule.requests
        spent += cost
        await pass(from)
      },
      async pauseUntil(instant) {
        signal.throwIfAborted()
        pausedUntil = Math.max(pausedUntil, instant)
      },
    },
  }
}
