import type { SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import { ATTEMPT_LIMITS, decideAttempt } from '@trellis/dataflow-engine/runs/attempts'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { formatDuration } from '@trellis/dataflow-engine/schedules/in-words'
import { transaction } from '@trellis/control-db/database'
import { SQL_STATE } from '@trellis/workspace-db/sql-state'
import { AppError } from '../../../platform/app-error.ts'
import type { SystemCtx } from '../../../platform/ctx.ts'
import {
  type RunEnd,
  type RunProblem,
  toAttemptProblem,
  endRun,
  readAttempts,
  raiseEpoch,
} from './finish.repository.ts'
import type { HeldRun, StopReason } from './held-run.ts'
import { isLostConnection } from './lost-connection.ts'
import type { Meter } from './meter.ts'
import { notifyRuns } from './notify-runs.repository.ts'
import type { RunEffects } from './run-effects.ts'
import { type RunLog, type RunLogs, normalizeMessage } from './run-log.ts'
import { RunFault } from './run-work.ts'
import type { RunWriter } from './run-writer.ts'

export interface AttemptContext {
  readonly ctx: SystemCtx
  readonly run: HeldRun
  readonly meter: Meter
  readonly log: RunLog
  readonly logs: RunLogs
  readonly writer: RunWriter
  readonly effects: RunEffects
}

export interface AttemptEnd {
  readonly error: unknown
  readonly stopped: StopReason | null
  /** The work ignored the abort. */
  readonly isLeftBehind: boolean
}

export interface AttemptOutcome {
  readonly queued: number
  /** Null if another worker holds the run. */
  readonly status: RunEnd['status'] | null
}

const INTERNAL_ERROR = 'Something went wrong on our side.'
const CANCELLED = 'The run was cancelled.'
const DATABASE_LOST = 'The connection to the database was lost.'

export async function finishAttempt(attempt: AttemptContext, ending: AttemptEnd): Promise<AttemptOutcome> {
  const { ctx, run, meter, log, logs } = attempt
  const { stopped } = ending
  if (ending.error === null && stopped !== 'lost') return await finishSucceeded(attempt)
  if (stopped === 'lost') return { queued: 0, status: null }
  const { counters: committedCounters, has_progressed: hasProgressed } = meter.readCommitted()
  const commonEnd = { counters: committedCounters, hasProgressed, message: null }
  const release = findRelease(ending)
  if (release) {
    log('INFO', release.line)
    await logs.flush()
    const { message, waitMs } = release
    const end = { ...commonEnd, status: 'QUEUED', problem: null, isReleased: true, message, waitMs } as const
    await retryUntilLeaseExpires(ctx, () => endRun(ctx, run, end))
    await notifyRuns(ctx, 'queued')
    return { queued: 0, status: 'QUEUED' }
  }
  const heldRun = ending.isLeftBehind ? await retryUntilLeaseExpires(ctx, () => fenceEffects(attempt)) : run
  if (!heldRun) return { queued: 0, status: null }
  const problem = toRunProblem(run, ending)
  if (problem.kind === 'system') {
    ctx.log.error({ err: ending.error, run: run.trellis_code, block: run.block_code }, 'An attempt of a run failed.')
  }
  const retryAfterMs = ending.error instanceof RunFault ? ending.error.retryAfterMs : undefined
  const end = await retryUntilLeaseExpires(ctx, () => decideRunEnd(ctx, run, { problem, hasProgressed, retryAfterMs }))
  const counters = end.status === 'QUEUED' ? committedCounters : meter.read().counters
  const isFailure = end.status !== 'QUEUED' && !problem.question && problem.kind !== 'cancelled'
  log(isFailure ? 'ERROR' : 'WARNING', problem.message, problem.subtask ?? undefined)
  log('INFO', problem.question ? 'The run is paused until somebody decides on the changes.' : end.sentence)
  await logs.flush()
  await retryUntilLeaseExpires(ctx, () =>
    endRun(ctx, heldRun, { ...commonEnd, ...end, counters, problem, retryAfterMs, message: problem.message }),
  )
  return { queued: 0, status: end.status }
}

const DEFERRED_WAIT_MS = 5000

function findRelease({ error, stopped }: AttemptEnd): { line: string; message: string; waitMs: number } | undefined {
  if (stopped === 'stopping') {
    const line = 'The worker is being stopped; another one goes on with this run.'
    return { line, message: 'The worker was stopped.', waitMs: 0 }
  }
  if (stopped !== null || !(error instanceof RunFault) || !error.isDeferred) return undefined
  return {
    line: 'The run goes back to the queue until there are connections.',
    message: error.message,
    waitMs: DEFERRED_WAIT_MS,
  }
}

async function finishSucceeded({
  ctx,
  run,
  meter,
  log,
  logs,
  writer,
  effects,
}: AttemptContext): Promise<AttemptOutcome> {
  const { counters, has_progressed: hasProgressed } = meter.read()
  log('INFO', describeCounters(counters))
  await logs.flush()
  const end: RunEnd = { status: 'SUCCESS', problem: null, counters, hasProgressed, message: null }
  const isAlone = run.request.scope === 'block'
  const endedAt = await retryUntilLeaseExpires(ctx, () =>
    writer.end({ run, end: { ...end, triggersNothingYet: !isAlone } }),
  )
  if (endedAt || isAlone) return { queued: 0, status: endedAt ? 'SUCCESS' : null }
  return await retryUntilLeaseExpires(ctx, () =>
    transaction(ctx, async (tx) => {
      const { at, queued } = await effects.succeed(tx, { ...run, end: () => endRun(tx, run, end) })
      if (queued > 0) await notifyRuns(tx, 'queued')
      return { queued, status: at ? ('SUCCESS' as const) : null }
    }),
  )
}

function describeCounters(counters: Record<string, number>): string {
  const rows = (counters['rows_written'] ?? 0) + (counters['rows_updated'] ?? 0)
  const rejected = counters['rows_rejected'] ?? 0
  const rejectedText = rejected > 0 ? `; ${rejected.toLocaleString('en')} did not fit and were rejected` : ''
  return rows === 0
    ? `Done${rejectedText}.`
    : `Done: ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'} written${rejectedText}.`
}

/** Fence before finishing: work that ignored the abort must not write once the run has ended. */
async function fenceEffects({ ctx, run, effects }: AttemptContext): Promise<{ id: number; epoch: number } | undefined> {
  const epoch = await raiseEpoch(ctx, run)
  if (epoch === undefined) return undefined
  await effects.fence(ctx, { ...run, epoch })
  return { id: run.id, epoch }
}

function toRunProblem(run: HeldRun, { error, stopped }: AttemptEnd): RunProblem {
  const problem = (kind: RunProblem['kind'], message: string, advice: string | null = null): RunProblem => ({
    kind,
    message,
    advice,
    subtask: null,
  })
  if (stopped === 'cancelled') return problem('cancelled', CANCELLED)
  if (stopped === 'stuck') return problem('transient', 'It did not get going within ten minutes.')
  if (stopped === 'too_long') {
    const limit = formatDuration(run.settings.most_minutes * 60_000)
    return problem(
      'configuration',
      `It ran longer than ${limit}.`,
      'Read less at a time or raise the limit of the block.',
    )
  }
  if (error instanceof RunFault) {
    const { kind, message, advice, subtask, question } = error
    // User code can throw anything; a message that cannot be stored would keep the run from ending.
    return {
      kind,
      message: normalizeMessage(message),
      advice: advice && normalizeMessage(advice),
      subtask: subtask && normalizeMessage(subtask),
      ...(question && { question: normalizeQuestion(question) }),
    }
  }
  if (isLostConnection(error)) return problem('lost', DATABASE_LOST)
  if (error instanceof AppError && error.code === 'unavailable')
    return problem('transient', normalizeMessage(error.message))
  if (error instanceof AppError && error.code !== 'internal')
    return problem('configuration', normalizeMessage(error.message))
  return problem('system', INTERNAL_ERROR, 'Run it again. If it keeps failing, tell support the code of the run.')
}

const normalizeQuestion = (question: SchemaQuestion): SchemaQuestion => ({
  ...question,
  changes: question.changes.map((change) => ({
    id: normalizeMessage(change.id),
    in_words: normalizeMessage(change.in_words),
    if_kept: normalizeMessage(change.if_kept),
  })),
})

type Decision = Pick<RunEnd, 'status' | 'waitMs'> & { readonly sentence: string }

async function decideRunEnd(
  ctx: SystemCtx,
  run: HeldRun,
  {
    problem,
    hasProgressed,
    retryAfterMs,
  }: { problem: RunProblem; hasProgressed: boolean; retryAfterMs: number | undefined },
): Promise<Decision> {
  if (problem.kind === 'cancelled') return { status: 'FAILED', sentence: 'Nothing more is done.' }
  const lastAttempt = {
    problem: toAttemptProblem(problem.kind),
    hasProgressed,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
  return decideNextAttempt([...(await readAttempts(ctx, run.id)), lastAttempt], run.settings.attempts)
}

/** A lost worker is not the block's fault: its limit counts other failures. */
export function decideNextAttempt(attempts: Parameters<typeof decideAttempt>[0], maxAttempts: number): Decision {
  const fruitless = attempts.at(-1)?.problem === 'lost' ? Math.max(maxAttempts, ATTEMPT_LIMITS.fruitless) : maxAttempts
  const decision = decideAttempt(attempts, Math.random(), { ...ATTEMPT_LIMITS, fruitless })
  if (decision.do === 'end') return { status: decision.status, sentence: decision.reason }
  return {
    status: 'QUEUED',
    waitMs: decision.waitMs,
    sentence: `The next attempt begins in ${formatDuration(Math.max(1000, decision.waitMs))}.`,
  }
}

/** Deadlock, serialization failure, lock timeout, too many connections. */
const RETRYABLE_CODES = new Set<string>([
  SQL_STATE.SERIALIZATION_FAILURE,
  SQL_STATE.DEADLOCK,
  SQL_STATE.LOCK_NOT_AVAILABLE,
  SQL_STATE.TOO_MANY_CONNECTIONS,
])
const FIRST_WAIT_MS = 20
const MAX_WAIT_MS = 1000

/**
 * Retries database outages until the lease expires: a failover must not turn a success into a lost attempt. After that
 * another worker has the run.
 */
async function retryUntilLeaseExpires<R>(ctx: SystemCtx, work: () => Promise<R>): Promise<R> {
  const giveUpAt = performance.now() + LEASE_MS
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 5, MAX_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      const isRetryable = isLostConnection(error) || RETRYABLE_CODES.has(String((error as { code?: unknown }).code))
      if (!isRetryable || performance.now() > giveUpAt) throw error
      ctx.log.warn({ err: error }, 'The end of a run is written again.')
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
