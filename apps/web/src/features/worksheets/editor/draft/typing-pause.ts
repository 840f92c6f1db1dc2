export interface TypingPause {
  /** For every key. */
  note(): void
  /** Done when nobody has typed for a moment, or after so long that more would be lost in a crash. */
  wait(): Promise<void>
}

const PAUSE_MS = 300
const MAX_WAIT_MS = 1000
const MAX_IDLE_WAIT_MS = 300

export function createTypingPause(): TypingPause {
  let typedAt = 0
  return {
    note() {
      typedAt = performance.now()
    },
    async wait() {
      const giveUpAt = performance.now() + MAX_WAIT_MS
      for (;;) {
        const now = performance.now()
        const left = Math.min(typedAt + PAUSE_MS, giveUpAt) - now
        if (left <= 0) break
        await new Promise((resolve) => setTimeout(resolve, left))
      }
      await waitForIdle()
    },
  }
}

/** Safari does not tell when it is idle. */
const waitForIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: MAX_IDLE_WAIT_MS })
    else setTimeout(resolve, 0)
  })
