import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { Db } from '@trellis/control-db/database'
import type { Attempt, AttemptProblem } from '@trellis/dataflow-engine/runs/attempts'
import { sql } from 'kysely'
import type { ClaimedRun } from './held-run.ts'

type WithDb = { readonly db: Db }
type Held = Pick<ClaimedRun, 'id' | 'epoch'>

export interface RunProblem {
  readonly kind: AttemptProblem | 'schema_changed' | 'cancelled' | 'blocked'
  readonly message: string
  readonly advice: string | null
  readonly subtask: string | null
}

/** False when the run is somebody else's by now. */
export async function moveRun(
  { db }: WithDb,
  run: Held,
  { from, to }: { from: RunStatus; to: RunStatus },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    with moved as (
      update task_runs set status = ${to}, status_since = clock_timestamp()
       where id = ${run.id} and epoch = ${run.epoch} and status = ${from}
      returning id, dataflow_id)
    select id, pg_notify('trellis_runs', 'flow:' || dataflow_id) from moved`.execute(db)
  return rows.length > 0
}

export interface RunEnd {
  readonly status: 'SUCCESS' | 'FAILED' | 'EXCEPTION' | 'QUEUED'
  readonly problem: RunProblem | null
  /** For QUEUED: how long from now the next attempt waits. */
  readonly waitMs?: number
  readonly counters: Record<string, number>
  readonly hasProgressed: boolean
  readonly retryAfterMs?: number | undefined
  readonly message: string | null
  /** Only for an attempt that counts for nothing, because its worker was stopped. */
  readonly isReleased?: boolean
}

/** Ends the attempt and the run, or queues the next attempt; nothing when the run is somebody else's by now. */
export async function endRun({ db }: WithDb, run: Held, end: RunEnd): Promise<Date | undefined> {
  const isOver = end.status !== 'QUEUED'
  const { rows } = await sql<{ at: Date }>`
    with ended as (
      update task_runs set status = ${end.status}, status_since = clock_timestamp(), worker = null, lease_until = null,
             finished_at = case when ${isOver}::boolean then clock_timestamp() end,
             retry_at = case when ${isOver}::boolean then null
                             else clock_timestamp() + ${end.waitMs ?? 0}::float8 * interval '1 millisecond' end,
             counters = ${JSON.stringify(end.counters)}::jsonb,
             problem = ${end.problem === null ? null : JSON.stringify(end.problem)}::jsonb
       where id = ${run.id} and epoch = ${run.epoch}
         and status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
      returning id, dataflow_id, attempt, status_since),
    attempt as (
      update task_run_attempts a set status = ${isOver ? end.status : end.isReleased ? 'QUEUED' : statusOf(end.problem)},
             finished_at = clock_timestamp(), problem = ${end.isReleased ? null : (end.problem?.kind ?? null)},
             message = ${end.message}, has_progressed = a.has_progressed or ${end.hasProgressed}::boolean,
             retry_after_ms = ${end.retryAfterMs ?? null}
        from ended where a.run_id = ended.id and a.number = ended.attempt)
    select status_since as at, pg_notify('trellis_runs', 'flow:' || dataflow_id) from ended`.execute(db)
  return rows[0]?.at
}

const statusOf = (problem: RunProblem | null): RunStatus =>
  problem?.kind === 'system' || problem?.kind === 'lost' ? 'EXCEPTION' : 'FAILED'

/** Attempts that ended with a problem, oldest first. */
export async function readAttempts({ db }: WithDb, runId: number): Promise<Attempt[]> {
  const { rows } = await sql<{ problem: string; has_progressed: boolean; retry_after_ms: number | null }>`
    select problem, has_progressed, retry_after_ms from task_run_attempts
     where run_id = ${runId} and problem is not null order by number`.execute(db)
  return rows.map((row) => ({
    problem: attemptProblem(row.problem),
    hasProgressed: row.has_progressed,
    ...(row.retry_after_ms !== null && { retryAfterMs: row.retry_after_ms }),
  }))
}

const ATTEMPT_PROBLEMS = ['configuration', 'transient', 'rate_limited', 'system', 'lost'] as const

/** What the engine does not know of by itself can only be mended by people. */
export const attemptProblem = (kind: string): AttemptProblem =>
  ATTEMPT_PROBLEMS.find((known) => known === kind) ?? 'configuration'

/** A new holder for a run whose old one is gone or must not go on: whatever that one still sends is refused. */
export async function takeOver({ db }: WithDb, run: Held): Promise<number | undefined> {
  const { rows } = await sql<{ epoch: number }>`
    update task_runs set epoch = nextval('run_epochs'), lease_until = clock_timestamp() + interval '1 minute'
     where id = ${run.id} and epoch = ${run.epoch}
       and status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
    returning epoch`.execute(db)
  return rows[0]?.epoch
}
