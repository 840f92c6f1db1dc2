/**
 * What is given inside `run`, for a reader outside of it. Giving waits until the reader comes back for the next one, so
 * that memory of the last one can be used again; it throws when the reader has stopped.
 */
export async function* handOver<Item extends object>(
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
