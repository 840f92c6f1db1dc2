export interface TypingPause {
  note(): void
  /** Resolves when typing pauses, or after a maximum delay. */
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

/** Safari has no requestIdleCallback. */
const waitForIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: MAX_IDLE_WAIT_MS })
    else setTimeout(resolve, 0)
  })
