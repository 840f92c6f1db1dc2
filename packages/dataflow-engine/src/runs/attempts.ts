import { formatDuration } from '../schedules/in-words.ts'

/** Problem kinds of connectors, and `lost` for a worker that died. */
export type AttemptProblem = 'configuration' | 'transient' | 'rate_limited' | 'system' | 'lost'

export interface Attempt {
  readonly problem: AttemptProblem
  /** It committed something: the next attempt resumes after that. */
  readonly hasProgressed: boolean
  readonly retryAfterMs?: number
}

export interface AttemptLimits {
  /** In a row and without progress. */
  readonly fruitless: number
  readonly total: number
  readonly firstWaitMs: number
  readonly longestWaitMs: number
}

export const ATTEMPT_LIMITS: AttemptLimits = {
  fruitless: 5,
  total: 20,
  firstWaitMs: 5000,
  longestWaitMs: 15 * 60_000,
}
/** Long enough for a database failover; after that the normal backoff applies. */
const FIRST_LOST_MS = 500
/** A longer Retry-After fails the run; the next due time starts another. */
const MAX_RETRY_AFTER_MS = 6 * 3_600_000

export type AttemptDecision =
  | { readonly do: 'retry'; readonly waitMs: number }
  | { readonly do: 'end'; readonly status: 'FAILED' | 'EXCEPTION'; readonly reason: string }

/**
 * `attempts`: oldest first, the last one just failed. `chance` in [0, 1) is the jitter. Progress resets the backoff.
 */
export function decideAttempt(
  attempts: readonly Attempt[],
  jitter: number,
  limits: AttemptLimits = ATTEMPT_LIMITS,
): AttemptDecision {
  const last = attempts.at(-1)
  if (!last) return { do: 'retry', waitMs: 0 }
  const isOurFault = last.problem === 'system' || last.problem === 'lost'
  const status = isOurFault ? 'EXCEPTION' : 'FAILED'
  if (last.problem === 'configuration')
    return { do: 'end', status, reason: 'It is not retried: the settings have to be changed first.' }
  if ((last.retryAfterMs ?? 0) > MAX_RETRY_AFTER_MS) {
    return { do: 'end', status, reason: `The platform asks to wait ${formatDuration(last.retryAfterMs ?? 0)}.` }
  }
  const fruitless = listFruitlessAttempts(attempts)
  const fruitlessCount = fruitless.length
  if (fruitlessCount >= limits.fruitless)
    return { do: 'end', status, reason: `${fruitlessCount} attempts in a row got nothing done.` }
  if (attempts.length >= limits.total) return { do: 'end', status, reason: `It was tried ${attempts.length} times.` }
  const waitLimits =
    last.problem === 'lost'
      ? { ...limits, longestWaitMs: fruitlessCount === 1 ? FIRST_LOST_MS : limits.firstWaitMs }
      : limits
  // A lost worker is retried quickly, but a run that kills workers must stop eventually.
  const failureCount = fruitless.filter(({ problem }) => problem !== 'lost').length
  return { do: 'retry', waitMs: Math.max(getBackoffMs(failureCount, jitter, waitLimits), last.retryAfterMs ?? 0) }
}

function listFruitlessAttempts(attempts: readonly Attempt[]): readonly Attempt[] {
  const lastProgress = attempts.findLastIndex(({ hasProgressed }) => hasProgressed)
  return attempts.slice(lastProgress + 1).filter(({ problem }) => problem !== 'rate_limited')
}

/** Half of the wait is fixed, half is jitter. */
function getBackoffMs(fruitlessCount: number, jitter: number, { firstWaitMs, longestWaitMs }: AttemptLimits): number {
  const fullWaitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, fruitlessCount - 1))
  return Math.round(fullWaitMs / 2 + (fullWaitMs / 2) * jitter)
}
