interface SharedRequest<T> {
  readonly promise: Promise<T>
  readonly stop: AbortController
  waiting: number
}

/** Single-flight: identical concurrent requests share a result, cancelled once nobody waits. */
export function createFlights<T>() {
  const flights = new Map<string, SharedRequest<T>>()
  return async (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const flight = flights.get(key) ?? start(key, work)
    flight.waiting += 1
    let leave = () => {}
    const left = new Promise<never>((_, reject) => {
      leave = () => reject(signal.reason as Error)
      if (signal.aborted) leave()
      else signal.addEventListener('abort', leave, { once: true })
    })
    try {
      return await Promise.race([flight.promise, left])
    } finally {
      signal.removeEventListener('abort', leave)
      flight.waiting -= 1
      if (flight.waiting === 0) flight.stop.abort()
    }
  }

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): SharedRequest<T> {
    const stop = new AbortController()
    const promise = work(stop.signal).finally(() => flights.delete(key))
    // Everyone may have left before it fails.
    promise.catch(() => undefined)
    const flight = { promise, stop, waiting: 0 }
    flights.set(key, flight)
    return flight
  }
}
