import type { JobResult, JobWithMetadata } from 'pg-boss'
import * as z from 'zod/mini'
import type { Job } from './define-job.ts'
import { WIND_DOWN_SECONDS } from './queue.ts'

/** Ctrl-C must end the process within 5 seconds. */
const STOPPING_WIND_DOWN_SECONDS = 1.5

export interface JobRun {
  readonly id: string
  readonly job: string
  readonly attempt: number
  readonly isLastAttempt: boolean
  /** Aborted on timeout, when the worker stops, or when another worker took over the job. */
  readonly signal: AbortSignal
}

export type Handler<Ctx, Payload extends object> = (ctx: Ctx, payload: Payload, run: JobRun) => Promise<void>

export class GiveUp extends Error {
  override readonly name = 'GiveUp'
}

export class WorkerStopping extends Error {
  override readonly name = 'WorkerStopping'
}

export type Outcome =
  | { status: 'done' }
  | { status: 'failed' | 'given_up'; error: unknown }
  /** The worker was stopped; does not count as an attempt. */
  | { status: 'interrupted'; error: unknown }

export interface Attempt<Ctx, Payload extends object> {
  job: Job<Payload>
  handler: Handler<Ctx, Payload>
  taken: JobWithMetadata
  ctxFor: (run: JobRun) => Ctx | Promise<Ctx>
  stopping: AbortSignal
}

export async function runAttempt<Ctx, Payload extends object>(attempt: Attempt<Ctx, Payload>): Promise<Outcome> {
  const { job, handler, taken, ctxFor, stopping } = attempt
  const payload = z.safeParse(job.payload, taken.data)
  if (!payload.success)
    return { status: 'given_up', error: new GiveUp(`The payload is not valid: ${z.prettifyError(payload.error)}`) }
  const timeout = new AbortController()
  const tooLong = new Error(`The attempt ran longer than ${job.timeoutSeconds} seconds.`)
  const timer = setTimeout(() => timeout.abort(tooLong), job.timeoutSeconds * 1000)
  const run: JobRun = {
    id: taken.id,
    job: job.name,
    attempt: taken.retryCount + 1,
    isLastAttempt: taken.retryCount >= taken.retryLimit,
    signal: AbortSignal.any([taken.signal, stopping, timeout.signal]),
  }
  try {
    const work = async () => await handler(await ctxFor(run), payload.data, run)
    await withGracePeriod(work(), run.signal, () => (stopping.aborted ? STOPPING_WIND_DOWN_SECONDS : WIND_DOWN_SECONDS))
    return { status: 'done' }
  } catch (error) {
    if (error instanceof GiveUp) return { status: 'given_up', error }
    if (stopping.aborted) return { status: 'interrupted', error }
    return { status: 'failed', error: timeout.signal.aborted ? tooLong : error }
  } finally {
    clearTimeout(timer)
  }
}

/** After the abort no longer than the wind-down: a handler that ignores the signal must not keep its slot. */
async function withGracePeriod(work: Promise<void>, signal: AbortSignal, seconds: () => number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const abandoned = new Promise<never>((_, reject) => {
    const wind = () => (timer = setTimeout(() => reject(signal.reason), seconds() * 1000))
    if (signal.aborted) wind()
    else signal.addEventListener('abort', wind, { once: true })
  })
  try {
    await Promise.race([work, abandoned])
  } finally {
    clearTimeout(timer)
  }
}

/** Stored and logged. Only name, message and code, since other fields of an error may contain row values. */
export function describeError(error: unknown): { name: string; message: string; code?: string } {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
  return { name: error.name, message: error.message, ...code }
}

export function toJobResult(id: string, outcome: Outcome): JobResult {
  if (outcome.status === 'done') return { id, status: 'completed' }
  return { id, status: outcome.status === 'given_up' ? 'deadletter' : 'failed', output: describeError(outcome.error) }
}
