export interface Waker {
  wake(): void
  wait(ms: number): Promise<void>
}

export function createWaker(): Waker {
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
