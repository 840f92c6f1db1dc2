export interface Waker {
  wake(): void
  wait(ms: number): Promise<void>
}

export function createWaker(): Waker {
  let isAwake = false
  let endWait: (() => void) | undefined
  return {
    wake: () => {
      isAwake = true
      endWait?.()
    },
    wait: async (ms) => {
      if (!isAwake) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      endWait = undefined
      isAwake = false
    },
  }
}
