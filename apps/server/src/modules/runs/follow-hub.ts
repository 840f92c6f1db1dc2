import type { Logger } from '../../platform/logger.ts'
import { type RunListener, listenToRuns } from './runner/listen.ts'
import { type Waker, createWaker } from './runner/waker.ts'

interface ListenHub {
  wakers: Map<string, Set<Waker>>
  listener: RunListener
}

const hubs = new Map<string, ListenHub>()

export interface RunFollower {
  wait(ms: number, signal: AbortSignal): Promise<void>
  stop(): void
}

/** Followers of a process share one LISTEN connection, closed with the last of them. */
export function follow(topic: string, { url, log }: { url: string; log: Logger }): RunFollower {
  const hub = hubs.get(url) ?? openHub(url, log)
  const waker = createWaker()
  const topicWakers = hub.wakers.get(topic) ?? new Set()
  hub.wakers.set(topic, topicWakers.add(waker))
  return {
    wait: async (ms, signal) => {
      if (signal.aborted) return
      const wake = () => waker.wake()
      signal.addEventListener('abort', wake, { once: true })
      await waker.wait(ms)
      signal.removeEventListener('abort', wake)
    },
    stop: () => {
      topicWakers.delete(waker)
      if (topicWakers.size === 0 && hub.wakers.get(topic) === topicWakers) hub.wakers.delete(topic)
      if (hub.wakers.size > 0 || hubs.get(url) !== hub) return
      hubs.delete(url)
      void hub.listener.stop()
    },
  }
}

function openHub(url: string, log: Logger): ListenHub {
  const wakers = new Map<string, Set<Waker>>()
  const onMessage = (topic: string) => {
    for (const waker of wakers.get(topic) ?? []) waker.wake()
  }
  const hub = { wakers, listener: listenToRuns({ url, log, onMessage }) }
  hubs.set(url, hub)
  return hub
}
