/** A stable min-heap. */
export interface Heap<T> {
  push(at: number, value: T): void
  pop(): { at: number; value: T } | undefined
}

interface Entry<T> {
  at: number
  turn: number
  value: T
}

export function makeHeap<T>(): Heap<T> {
  const entries: Entry<T>[] = []
  let turn = 0
  const isBefore = (a: number, b: number): boolean => {
    const [entry, other] = [entries[a], entries[b]]
    if (!entry || !other) return entry !== undefined
    return entry.at < other.at || (entry.at === other.at && entry.turn < other.turn)
  }
  const swap = (a: number, b: number) => {
    const [entry, other] = [entries[a], entries[b]]
    if (entry && other) [entries[a], entries[b]] = [other, entry]
  }
  return {
    push(at, value) {
      entries.push({ at, turn: turn++, value })
      for (let place = entries.length - 1; place > 0;) {
        const parent = (place - 1) >> 1
        if (!isBefore(place, parent)) return
        swap(place, parent)
        place = parent
      }
    },
    pop() {
      swap(0, entries.length - 1)
      const first = entries.pop()
      for (let place = 0; ;) {
        const [left, right] = [2 * place + 1, 2 * place + 2]
        const child = right < entries.length && isBefore(right, left) ? right : left
        if (child >= entries.length || !isBefore(child, place)) return first
        swap(place, child)
        place = child
      }
    },
  }
}
