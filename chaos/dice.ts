/** Seeded, so that a failed run can be repeated. */
export interface Dice {
  /** In [0, 1). */
  next(): number
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T | undefined
}

export function createRandom(seed: number): Dice {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (from, to) => Math.floor(from + next() * (to - from)),
    pick: (list) => list[Math.floor(next() * list.length)],
  }
}
