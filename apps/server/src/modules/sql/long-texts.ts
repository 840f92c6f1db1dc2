import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'

const LONG_CHARACTERS = 20_000
const CHARACTERS_PER_SECOND = 250_000
const MAX_WAIT_MS = 10_000

/** Rate limit by length: parsing and storing long SQL takes CPU before any database limit applies. */
export function createPace() {
  const freeAt = new Map<number, number>()
  return {
    /** Delay in milliseconds; undefined if too many wait. */
    reserve(workspaceId: number, characters: number, now: number): number | undefined {
      if (characters <= LONG_CHARACTERS) return 0
      for (const [id, at] of freeAt) if (at <= now) freeAt.delete(id)
      const begins = freeAt.get(workspaceId) ?? now
      if (begins - now > MAX_WAIT_MS) return undefined
      freeAt.set(workspaceId, begins + (characters / CHARACTERS_PER_SECOND) * 1000)
      return begins - now
    },
  }
}

const pace = createPace()

export async function waitForTurn({ workspace, http }: WorkspaceCtx, sql: string): Promise<void> {
  const waitMs = pace.reserve(workspace.id, sql.length, performance.now())
  if (waitMs === undefined) {
    const message = 'Many long statements of this workspace are waiting. Try again in a few seconds.'
    throw new AppError('too_many_requests', message, { retryAfterSeconds: MAX_WAIT_MS / 1000 })
  }
  if (waitMs > 0) await sleep(waitMs, undefined, { signal: http.signal })
}
