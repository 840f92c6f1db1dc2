import { createHash } from 'node:crypto'

const MAX_KNOWN = 20_000

/** Members found so far; the oldest are forgotten first. */
export function createKnownCallers(max = MAX_KNOWN) {
  const known = new Set<string>()
  // Callers are identified by their tokens, which must not be kept.
  const toKey = (place: string, caller: string) => createHash('sha256').update(`${place}\n${caller}`).digest('base64')
  return {
    has: (place: string, caller: string): boolean => known.has(toKey(place, caller)),
    set(place: string, caller: string, belongs: boolean): void {
      const key = toKey(place, caller)
      known.delete(key)
      if (belongs) known.add(key)
      const [oldest] = known
      if (known.size > max && oldest !== undefined) known.delete(oldest)
    },
  }
}
