import { setTimeout as wait } from 'node:timers/promises'
import type { Budget } from '@trellis/connector-kit/context'
import type { AnyDb, Db } from '@trellis/control-db/database'
import { type Credential, type Spacing, isPaused, pauseCredential, reserveCall } from './budget.repository.ts'

/** A mistaken Retry-After must not stop a connection for good. */
const MAX_PAUSE_MS = 24 * 3600_000
/** Wakes up to notice pauses set by others. */
const MAX_WAIT_MS = 30_000

/**
 * A rate limit shared by all processes (GCRA): the next slot is claimed in the database, by its clock. A tenth of the
 * requests may burst, the rest are spaced evenly.
 */
export function createBudget(ctx: { readonly db: AnyDb }, credential: Credential, signal: AbortSignal): Budget {
  const db = ctx.db as Db
  return {
    take: async (cost, rule) => {
      for (;;) {
        signal.throwIfAborted()
        let left = await reserveCall(db, credential, computeSpacing(cost, rule))
        while (left > 0) {
          const now = Math.min(left, MAX_WAIT_MS)
          await wait(now, undefined, { signal })
          left -= now
        }
        if (!(await isPaused(db, credential))) return
      }
    },
    pauseUntil: async (instant) => {
      const pauseMs = Math.min(Math.max(0, instant - Date.now()), MAX_PAUSE_MS)
      await pauseCredential(db, credential, pauseMs)
    },
  }
}

/** For the workspace's database and for trials, which have no row. */
export function privateBudget(signal: AbortSignal): Budget {
  let freeAt = 0
  let pausedUntil = 0
  return {
    take: async (cost, rule) => {
      const { costMs, burstMs } = computeSpacing(cost, rule)
      const start = Math.max(freeAt - burstMs, Date.now(), pausedUntil)
      freeAt = Math.max(freeAt, start) + costMs
      await wait(Math.max(0, start - Date.now()), undefined, { signal })
    },
    pauseUntil: async (instant) => void (pausedUntil = Math.max(pausedUntil, instant)),
  }
}

function computeSpacing(cost: number, { requests, seconds }: { requests: number; seconds: number }): Spacing {
  const burst = Math.max(1, Math.floor(requests / 10))
  const everyMs = (seconds * 1000) / (requests - burst + 1)
  return { costMs: cost * everyMs, burstMs: (burst - 1) * everyMs }
}
