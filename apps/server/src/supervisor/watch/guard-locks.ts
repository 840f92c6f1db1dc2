import { endSessionsWithReason } from '@trellis/workspace-db/watch/ended-sessions'
import { type AdminClient, readLocks } from '@trellis/workspace-db/watch/watched-sessions'

const EVERY_MS = 1_000
/** The lock table is shared by all databases: once it is full, nothing runs. */
const MAX_SHARE = 0.25

export function createLockGuard({ warn }: { readonly warn: (line: string) => void }) {
  let lookedAt = Number.NEGATIVE_INFINITY
  return async (client: AdminClient): Promise<void> => {
    if (performance.now() - lookedAt < EVERY_MS) return
    lookedAt = performance.now()
    const { places, sessions } = await readLocks(client)
    for (const [database, own] of Map.groupBy(sessions, (session) => session.database)) {
      if (own.reduce((sum, { locks }) => sum + locks, 0) <= places * MAX_SHARE) continue
      const [most] = own.toSorted((a, b) => b.locks - a.locks)
      if (!most) continue
      warn(`A session in ${database} held ${most.locks} locks and was ended.`)
      await endSessionsWithReason(client, [most.pid], 'locks')
    }
  }
}
