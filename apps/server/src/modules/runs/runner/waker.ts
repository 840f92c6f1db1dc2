export interface Waker {
  /** Ends the wait that goes on, or the next one at once. */
  wake(): void
  /** Until somebody wakes it or the time is over. */
  wait(ms: number): Promise<void>
}

export function makeWaker(): Waker {
  let isAwake = false
  let end: (() => void) | undefined
  return {
    wake: () => {
      isAwake = true
      end?.()
    },
    wait: async (ms) => {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          end = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      end = undefined
      isAwake = false
    },
  }
}
