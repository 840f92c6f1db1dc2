interface SharedRequest<T> {
  readonly promise: Promise<T>
  readonly stop: AbortController
  waiting: number
}

/** Single-sharedRequest: identical concurrent requests share a result, cancelled once nobody waits. */
export function createSharedRequests<T>() {
  const sharedRequests = new Map<string, SharedRequest<T>>()
  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const sharedRequest = sharedRequests.get(key) ?? start(key, work)
    sharedRequest.waiting += 1
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
    try {
      return await Promise.race([sharedRequest.promise, left])
    } finally {
      signal.removeEventListener('abort', leave)
      sharedRequest.waiting -= 1
      if (sharedRequest.waiting === 0) sharedRequest.stop.abort()
    }
  }

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): SharedRequest<T> {
    const stop = new AbortController()
    const promise = work(stop.signal).finally(() => sharedRequests.delete(key))
    // Everyone may have left before it fails.
    promise.catch(() => undefined)
    const sharedRequest = { promise, stop, waiting: 0 }
    sharedRequests.set(key, sharedRequest)
    return sharedRequest
  }
}
