/** A stable min-heap. */
export interface Heap<T> {
  push(at: number, value: T): void
  pop(): { at: number; value: T } | undefined
}

interface Entry<T> {
  at: number
  insertionOrder: number
  value: T
}

export function createHeap<T>(): Heap<T> {
  const entries: Entry<T>[] = []
  let insertionOrder = 0
  const isBefore = (a: number, b: number): boolean => {
    const [entry, other] = [entries[a], entries[b]]
    if (!entry || !other) return entry !== undefined
    return entry.at < other.at || (entry.at === other.at && entry.insertionOrder < other.insertionOrder)
  }
  const swap = (a: number, b: number) => {
    const [entry, other] = [entries[a], entries[b]]
    if (entry && other) [entries[a], entries[b]] = [other, entry]
  }
  return {
    push(at, value) {
      entries.push({ at, insertionOrder: insertionOrder++, value })
      for (let index = entries.length - 1; index > 0;) {
        const parent = (index - 1) >> 1
        if (!isBefore(index, parent)) return
        swap(index, parent)
        index = parent
      }
    },
    pop() {
      swap(0, entries.length - 1)
      const first = entries.pop()
      for (let index = 0; ;) {
        const [left, right] = [2 * index + 1, 2 * index + 2]
        const child = right < entries.length && isBefore(right, left) ? right : left
        if (child >= entries.length || !isBefore(child, index)) return first
        swap(index, child)
        index = child
      }
    },
  }
}
