import { STATE_LIMITS } from '@trellis/dataflow-engine/runs/deadlines'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { type AttemptOutcome, finishAttempt } from './finish.ts'
import type { RunEffects } from './run-effects.ts'
import type { RunWriter } from './run-writer.ts'
import { type HeldRun, RunStopped, type StopReason } from './held-run.ts'
import { type Meter, createMeter } from './meter.ts'
import type { RunLogs } from './run-log.ts'
import { RunFault, type WorkTable } from './run-work.ts'

export interface AttemptDeps {
  readonly ctx: SystemCtx
  readonly work: WorkTable
  readonly logs: RunLogs
  readonly writer: RunWriter
  readonly effects: RunEffects
  /** Work that ignores the abort is abandoned after this and fenced. */
  readonly graceMs: number
}

export interface RunningAttempt {
  readonly run: HeldRun
  readonly meter: Meter
  stop(reason: StopReason): void
  readonly done: Promise<AttemptOutcome>
}

const MINUTE_MS = 60_000
const MAX_INITIALIZING_MS = STATE_LIMITS.INITIALIZING ?? 10 * MINUTE_MS

/** Runs one attempt and records its outcome, whatever happens. */
export function startAttempt(deps: AttemptDeps, run: HeldRun): RunningAttempt {
  const stopping = new AbortController()
  const meter = createMeter(run.counters, { isFirst: run.root_code === run.trellis_code })
  const stop = (reason: StopReason) => {
    if (!stopping.signal.aborted) stopping.abort(new RunStopped(reason))
  }
  return { run, meter, stop, done: runAttempt(deps, { run, meter, stop, signal: stopping.signal }) }
}

interface AttemptRun {
  run: HeldRun
  meter: Meter
  stop: (reason: StopReason) => void
  signal: AbortSignal
}

async function runAttempt(deps: AttemptDeps, attemptRun: AttemptRun): Promise<AttemptOutcome> {
  const { run, meter, signal } = attemptRun
  const { ctx, logs, writer, effects } = deps
  const log = logs.open(run)
  const deadline = createDeadline()
  deadline.set(MAX_INITIALIZING_MS, () => attemptRun.stop('stuck'))
  try {
    const workOutcome = await withGracePeriod(runWork(deps, { ...attemptRun, log, deadline }), signal, deps.graceMs)
    deadline.clear()
    return await finishAttempt(
      { ctx, run, meter, log, logs, writer, effects },
      { ...workOutcome, stopped: findStopReason(signal) },
    )
  } catch (error) {
    // The lease expires and the reaper continues the run.
    ctx.log.error({ err: error, run: run.trellis_code }, 'The end of an attempt could not be written down.')
    return { queued: 0, status: null }
  } finally {
    deadline.clear()
  }
}

const findStopReason = (signal: AbortSignal): StopReason | null =>
  signal.reason instanceof RunStopped ? signal.reason.reason : null

async function runWork(
  { ctx, work: workTable, writer }: AttemptDeps,
  { run, meter, stop, signal, log, deadline }: AttemptRun & { log: ReturnType<RunLogs['open']>; deadline: Deadline },
): Promise<void> {
  if (!(await writer.move({ ...run, from: 'PROVISIONING', to: 'INITIALIZING' }))) return stop('lost')
  const work = workTable[run.kind]
  if (!work) throw new RunFault('system', `Blocks of the kind ${run.kind} can't be run by this worker.`)
  let startOfWork: Promise<void> | undefined
  const moveToRunning = async () => {
    deadline.set(run.settings.most_minutes * MINUTE_MS, () => stop('too_long'))
    if (!(await writer.move({ ...run, from: 'INITIALIZING', to: 'RUNNING' }))) stop('lost')
    signal.throwIfAborted()
  }
  log('INFO', run.attempt === 1 ? formatStartLine(run) : `Attempt ${run.attempt} began.`)
  await work({
    ctx,
    account: { id: run.account_id },
    workspace: { id: run.workspace_id, code: run.workspace_code },
    block: { id: run.block_id, code: run.block_code, name: run.block_name, settings: run.settings as never },
    run: {
      id: run.id,
      code: run.trellis_code,
      rootCode: run.root_code,
      epoch: run.epoch,
      attempt: run.attempt,
      nominalAt: run.nominal_at,
      request: run.request,
      isParallel: run.is_parallel,
    },
    signal,
    log,
    count: (progress, subtask) => meter.count(progress, subtask),
    markCommitted: (subtask) => meter.markCommitted(subtask),
    setLoadTotals: (totals, subtask) => meter.setLoadTotals(totals, subtask),
    markWorking: () => (startOfWork ??= moveToRunning()),
  })
}

const formatStartLine = ({ request, version_number: version }: HeldRun): string =>
  request.is_shadow
    ? 'The dry run began with the draft. Nothing it does changes a table.'
    : `The run began with version ${version}.`

type WorkOutcome = { readonly error: unknown; readonly isLeftBehind: boolean }

async function withGracePeriod(work: Promise<void>, signal: AbortSignal, graceMs: number): Promise<WorkOutcome> {
  let timer: NodeJS.Timeout | undefined
  const workEnd = work.then(
    (): WorkOutcome => ({ error: null, isLeftBehind: false }),
    (error: unknown): WorkOutcome => ({ error: error ?? new Error('Nothing was thrown.'), isLeftBehind: false }),
  )
  const graceEnd = new Promise<WorkOutcome>((resolve) => {
    const startGraceTimer = () => {
      timer = setTimeout(() => resolve({ error: signal.reason, isLeftBehind: true }), graceMs)
    }
    if (signal.aborted) startGraceTimer()
    else signal.addEventListener('abort', startGraceTimer, { once: true })
  })
  try {
    return await Promise.race([workEnd, graceEnd])
  } finally {
    clearTimeout(timer)
  }
}

interface Deadline {
  set(ms: number, onExpired: () => void): void
  clear(): void
}

function createDeadline(): Deadline {
  let timer: NodeJS.Timeout | undefined
  return {
    set: (ms, onExpired) => {
      clearTimeout(timer)
      timer = setTimeout(onExpired, ms)
    },
    clear: () => clearTimeout(timer),
  }
}
