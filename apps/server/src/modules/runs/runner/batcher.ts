/** Group commit: items that arrive while a statement runs share the next one. A single item waits for nothing. */
export function createBatcher<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface QueuedItem {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const queuedItems: QueuedItem[] = []
  let isRunning = false
  const runBatches = async () => {
    isRunning = true
    while (queuedItems.length > 0) {
      const batch = queuedItems.splice(0, 500)
      try {
        const results = await work(batch.map(({ item }) => item))
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isRunning = false
  }
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      queuedItems.push({ item, resolve, reject })
      if (!isRunning) {
        isRunning = true
        setImmediate(() => void runBatches())
      }
    })
}
