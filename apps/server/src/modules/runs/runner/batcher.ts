/**
 * Does many small things with one statement: what comes while one is under way goes together with the next. Alone a
 * thing waits for nothing; a thousand at once cost a few commits instead of a thousand.
 */
export function makeBatcher<Item, Result>(
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
      // Those of the same turn go together.
      if (!isGoing) {
        isGoing = true
        setImmediate(() => void go())
      }
    })
}
