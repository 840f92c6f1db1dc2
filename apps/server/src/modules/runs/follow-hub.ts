import type { Logger } from '../../platform/logger.ts'
import { type RunListener, listenToRuns } from './runner/listen.ts'
import { type Waker, createWaker } from './runner/waker.ts'

interface Hub {
  wakers: Map<string, Set<Waker>>
  listening: RunListener
}

const hubs = new Map<string, Hub>()

export interface RunFollower {
  wait(ms: number, signal: AbortSignal): Promise<void>
  stop(): void
}

/** Followers of a process share one LISTEN connection, closed with the last of them. */
export function follow(about: string, { url, log }: { url: string; log: Logger }): RunFollower {
  const hub = hubs.get(url) ?? openHub(url, log)
  const waker = createWaker()
  const ownWakers = hub.wakers.get(about) ?? new Set()
  hub.wakers.set(about, ownWakers.add(waker))
  return {
    wait: async (ms, signal) => {
      if (signal.aborted) return
      const wake = () => waker.wake()
      signal.addEventListener('abort', wake, { once: true })
      await waker.wait(ms)
      signal.removeEventListener('abort', wake)
    },
    stop: () => {
      ownWakers.delete(waker)
      if (ownWakers.size === 0 && hub.wakers.get(about) === ownWakers) hub.wakers.delete(about)
      if (hub.wakers.size > 0 || hubs.get(url) !== hub) return
      hubs.delete(url)
      void hub.listening.stop()
    },
  }
}

function openHub(url: string, log: Logger): Hub {
  const wakers = new Map<string, Set<Waker>>()
  const onMessage = (about: string) => {
    for (const waker of wakers.get(about) ?? []) waker.wake()
  }
  const hub = { wakers, listening: listenToRuns({ url, log, onMessage }) }
  hubs.set(url, hub)
  return hub
}
