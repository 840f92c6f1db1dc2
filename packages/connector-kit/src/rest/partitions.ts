import { SourceChanged } from '../source-changed.ts'

/** A partition as it is listed, `P` the position of its page in the list. */
export interface ListedPartition<P> {
  readonly value: string
  readonly page?: P
}

export interface PartitionPosition<P> {
  readonly value: string
  /** Partitions that were read before this one, as lines of JSON; undefined if there are too many. */
  readonly read?: string
  /** Without `read`: the page of the list, whose order has to be trusted. */
  readonly parent?: P
}

type ListPartitions<P, L> = (from?: P) => AsyncIterable<L>
interface Resume<P> {
  readonly from: PartitionPosition<P> | undefined
  /** Names the list in a message. */
  readonly what: string
}
interface PlacedPartition<P, L> {
  readonly listed: L
  readonly position: PartitionPosition<P>
}

/** Part of every checkpoint. */
const MAX_READ_CHARACTERS = 256 * 1024

/**
 * Every partition that was not read before, in whatever order they are listed by now. The one that was broken off comes
 * first; if it is gone, it is passed over.
 */
export async function* goThroughPartitions<P, L extends ListedPartition<P>>(
  list: ListPartitions<P, L>,
  { from, what }: Resume<P>,
): AsyncGenerator<PlacedPartition<P, L>> {
  if (from && from.read === undefined) return yield* goOnInOrder(list, { from, what })
  const unmatchedReads = countLines(from?.read ?? '')
  let read: string | undefined = from?.read ?? ''
  let brokenOff = from?.value
  const readsOfBrokenOff = unmatchedReads.get(from?.value ?? '') ?? 0
  const toPlaced = (listed: L): PlacedPartition<P, L> => ({ listed, position: toPosition(listed, read) })
  for await (const listed of list()) {
    if (consumeOne(unmatchedReads, listed.value)) continue
    if (brokenOff !== undefined && brokenOff !== listed.value) {
      const relisted = await findPartition(list, brokenOff, readsOfBrokenOff)
      if (relisted) {
        yield toPlaced(relisted)
        unmatchedReads.set(brokenOff, (unmatchedReads.get(brokenOff) ?? 0) + 1)
      }
      read = addLine(read, brokenOff)
    }
    brokenOff = undefined
    yield toPlaced(listed)
    read = addLine(read, listed.value)
  }
}

const toPosition = <P>({ value, page }: ListedPartition<P>, read: string | undefined): PartitionPosition<P> =>
  read === undefined ? { value, ...(page !== undefined && { parent: page }) } : { value, read }

/** Of earlier versions, or of more partitions than can be remembered. */
async function* goOnInOrder<P, L extends ListedPartition<P>>(
  list: ListPartitions<P, L>,
  { from, what }: Resume<P> & { from: PartitionPosition<P> },
): AsyncGenerator<PlacedPartition<P, L>> {
  let isFound = false
  let first: L | undefined
  for await (const listed of list(from.parent)) {
    first ??= listed
    isFound ||= listed.value === from.value
    if (isFound) yield { listed, position: toPosition(listed, undefined) }
    else if (listed.page !== first.page) break
  }
  if (!isFound) throw new SourceChanged(what)
}

async function findPartition<P, L extends ListedPartition<P>>(
  list: ListPartitions<P, L>,
  value: string,
  occurrencesBefore: number,
): Promise<L | undefined> {
  let occurrencesLeft = occurrencesBefore
  for await (const listed of list()) if (listed.value === value && occurrencesLeft-- === 0) return listed
  return undefined
}

/** Several partitions may have the same value. */
function countLines(read: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of read.split('\n').slice(0, -1)) {
    const value = JSON.parse(line) as string
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return counts
}

function consumeOne(counts: Map<string, number>, value: string): boolean {
  const count = counts.get(value) ?? 0
  if (count > 0) counts.set(value, count - 1)
  return count > 0
}

function addLine(read: string | undefined, value: string): string | undefined {
  if (read === undefined || read.length > MAX_READ_CHARACTERS) return undefined
  return `${read}${JSON.stringify(value)}\n`
}
