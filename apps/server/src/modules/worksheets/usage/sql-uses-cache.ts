import { type SqlUses, readSqlUses } from './sql-uses.ts'

const MAX_CACHED = 20_000
/** Yields to other requests after this many texts. */
const TURN = 25

const cached = new Map<string, SqlUses>()

interface HashedText {
  readonly hash: string
  readonly text: string
}

export const findCachedUses = (hash: string): SqlUses | undefined => cached.get(hash)

export async function cacheUses(texts: readonly HashedText[]): Promise<void> {
  for (const [at, { hash, text }] of texts.entries()) {
    if (cached.has(hash)) continue
    if (at % TURN === TURN - 1) await new Promise((resolve) => setImmediate(resolve))
    const [oldest] = cached.keys()
    if (cached.size >= MAX_CACHED && oldest !== undefined) cached.delete(oldest)
    cached.set(hash, await readSqlUses(text))
  }
}
