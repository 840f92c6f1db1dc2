/** Group commit: items that arrive while a statement runs share the next one. A single item waits for nothing. */
export function createBatcher<Item, Result>(
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  interface Waiting {
    item: Item
    resolve: (result: Result) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let isGoing = false
  const go = async () => {
    isGoing = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, 500)
      try {
        const results = await work(batch.map(({ item }) => item))
        for (const [at, { resolve }] of batch.entries()) resolve(results[at] as Result)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    isGoing = false
  }
  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!isGoing) {
        isGoing = true
        setImmediate(() => void go())
      }
    })
}
