/**
 * Turns a callback into an iterator with backpressure: `give` resolves when the consumer asks for the next item, so
 * buffers can be reused; it throws once the consumer has stopped.
 */
export async function* toAsyncGenerator<Item extends object>(
  run: (give: (item: Item) => Promise<void>) => Promise<void>,
): AsyncGenerator<Item> {
  let given = Promise.withResolvers<Item | undefined>()
  let used = Promise.withResolvers<void>()
  const running = run((item) => {
    given.resolve(item)
    return used.promise
  })
  running.then(
    () => given.resolve(undefined),
    (error: unknown) => given.reject(error),
  )
  try {
    for (;;) {
      const item = await given.promise
      if (!item) return
      yield item
      given = Promise.withResolvers()
      const { resolve } = used
      used = Promise.withResolvers()
      resolve()
    }
  } finally {
    used.promise.catch(() => undefined)
    used.reject(new Error('The reader has stopped.'))
    await running.catch(() => undefined)
  }
}
