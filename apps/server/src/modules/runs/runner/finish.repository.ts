import type { RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { SchemaQuestion } from '@trellis/contract/runs/runs.schemas'
import type { Db } from '@trellis/control-db/database'
import type { Attempt, AttemptProblem } from '@trellis/dataflow-engine/runs/attempts'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { sql } from 'kysely'
import type { ClaimedRun } from './held-run.ts'

type WithDb = { readonly db: Db }
type RunClaim = Pick<ClaimedRun, 'id' | 'epoch'>

export interface RunProblem {
  readonly kind: AttemptProblem | 'schema_changed' | 'cancelled' | 'blocked'
  readonly message: string
  readonly advice: string | null
  readonly subtask: string | null
  readonly question?: SchemaQuestion
}

/**
 * synchronous_commit = off, for updates that are repeated anyway if a crash loses them. Never for epochs or final
 * states.
 */
export const WITHOUT_SYNC_COMMIT = sql`select set_config('synchronous_commit', 'off', true)`

export interface StatusMove {
  readonly id: number
  readonly epoch: number
  readonly from: RunStatus
  readonly to: RunStatus
}

/** False if another worker holds the run by now. */
export async function moveRuns({ db }: WithDb, moves: readonly StatusMove[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: number }>`
    with moved as (
      update task_runs r set status = m.to, status_since = clock_timestamp()
        from jsonb_to_recordset(${toJsonInLockOrder(moves)}::jsonb) as m(id bigint, epoch bigint, "from" text, "to" text)
       where r.id = m.id and r.epoch = m.epoch and r.status = m.from
      returning r.id, r.dataflow_id),
    notified as (select pg_notify('trellis_runs', 'flow:' || dataflow_id) from moved group by dataflow_id)
    select id, (${WITHOUT_SYNC_COMMIT}) from moved, (select count(*) from notified) as counted`.execute(db)
  const movedIds = new Set(rows.map(({ id }) => id))
  return moves.map(({ id }) => movedIds.has(id))
}

/** Fixed lock order avoids a deadlock between batches. */
const toJsonInLockOrder = (items: readonly { readonly id: number }[]): string =>
  JSON.stringify(items.toSorted((a, b) => a.id - b.id))

export interface RunEnd {
  readonly status: 'SUCCESS' | 'FAILED' | 'EXCEPTION' | 'QUEUED'
  readonly problem: RunProblem | null
  readonly waitMs?: number
  readonly counters: Record<string, number>
  readonly hasProgressed: boolean
  readonly retryAfterMs?: number | undefined
  readonly message: string | null
  /** The worker was stopped, so the attempt does not count. */
  readonly isReleased?: boolean
  /** Downstream blocks must be triggered in the same transaction instead. */
  readonly triggersNothingYet?: boolean
}

/** Ends attempt and run, or queues the next attempt; undefined if another worker holds the run by now. */
export async function endRun(ctx: WithDb, run: RunClaim, end: RunEnd): Promise<Date | undefined> {
  return (await endRuns(ctx, [{ run, end }]))[0]
}

export async function endRuns(
  { db }: WithDb,
  ends: readonly { readonly run: RunClaim; readonly end: RunEnd }[],
): Promise<(Date | undefined)[]> {
  const { rows } = await sql<{ id: number; at: Date }>`
    with ends as (
      select * from jsonb_to_recordset(${toJsonInLockOrder(ends.map(toEndRow))}::jsonb) as e(id bigint, epoch bigint, status text,
             is_over boolean, wait_ms float8, counters jsonb, problem jsonb, attempt_status text, attempt_problem text,
             message text, has_progressed boolean, retry_after_ms int, is_untold boolean)),
    ended as (
      update task_runs r set status = e.status, status_since = clock_timestamp(), worker = null, lease_until = null,
             finished_at = case when e.is_over then clock_timestamp() end,
             retry_at = case when not e.is_over then clock_timestamp() + e.wait_ms * interval '1 millisecond' end,
             counters = e.counters, problem = e.problem
        from ends e
       where r.id = e.id and r.epoch = e.epoch
         and r.status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
         and not (e.is_untold and exists (select 1 from live_waits w where w.upstream_id = r.block_id))
      returning r.id, r.dataflow_id, r.attempt, r.status_since),
    attempts as (
      update task_run_attempts a set status = e.attempt_status, finished_at = clock_timestamp(), problem = e.attempt_problem,
             message = e.message, has_progressed = a.has_progressed or e.has_progressed, retry_after_ms = e.retry_after_ms
        from ended join ends e on e.id = ended.id where a.run_id = ended.id and a.number = ended.attempt),
    notified as (select pg_notify('trellis_runs', 'flow:' || dataflow_id) from ended group by dataflow_id)
    select id, status_since as at from ended, (select count(*) from notified) as counted`.execute(db)
  const endTimeById = new Map(rows.map(({ id, at }) => [id, at]))
  return ends.map(({ run }) => endTimeById.get(run.id))
}

function toEndRow({ run, end }: { run: RunClaim; end: RunEnd }) {
  const isOver = end.status !== 'QUEUED'
  return {
    id: run.id,
    epoch: run.epoch,
    status: end.status,
    is_over: isOver,
    wait_ms: end.waitMs ?? 0,
    counters: end.counters,
    problem: end.problem,
    attempt_status: isOver ? end.status : end.isReleased ? 'QUEUED' : toFailedStatus(end.problem),
    attempt_problem: end.isReleased ? null : (end.problem?.kind ?? null),
    message: end.message,
    has_progressed: end.hasProgressed,
    retry_after_ms: end.retryAfterMs ?? null,
    is_untold: end.triggersNothingYet ?? false,
  }
}

const toFailedStatus = (problem: RunProblem | null): RunStatus =>
  problem?.kind === 'system' || problem?.kind === 'lost' ? 'EXCEPTION' : 'FAILED'

export async function readAttempts({ db }: WithDb, runId: number): Promise<Attempt[]> {
  const { rows } = await sql<{ problem: string; has_progressed: boolean; retry_after_ms: number | null }>`
    select problem, has_progressed, retry_after_ms from task_run_attempts
     where run_id = ${runId} and problem is not null order by number`.execute(db)
  return rows.map((row) => ({
    problem: toAttemptProblem(row.problem),
    hasProgressed: row.has_progressed,
    ...(row.retry_after_ms !== null && { retryAfterMs: row.retry_after_ms }),
  }))
}

const ATTEMPT_PROBLEMS = ['configuration', 'transient', 'rate_limited', 'system', 'lost'] as const

/** Unknown problem kinds count as `configuration`. */
export const toAttemptProblem = (kind: string): AttemptProblem =>
  ATTEMPT_PROBLEMS.find((problem) => problem === kind) ?? 'configuration'

/** Raises the epoch, so that the old worker's writes are refused. */
export async function raiseEpoch({ db }: WithDb, run: RunClaim): Promise<number | undefined> {
  const { rows } = await sql<{ epoch: number }>`
    update task_runs set epoch = nextval('run_epochs'), lease_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     where id = ${run.id} and epoch = ${run.epoch}
       and status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
    returning epoch`.execute(db)
  return rows[0]?.epoch
}

export async function areWatched({ db }: WithDb, ids: readonly number[]): Promise<boolean[]> {
  const { rows } = await sql<{ id: number }>`
    select r.id from task_runs r join dataflows f on f.id = r.dataflow_id
     where r.id = any(${ids}::bigint[])
       and (f.alerts->>'webhook_url' is not null or jsonb_array_length(f.alerts->'emails') > 0)`.execute(db)
  const watchedIds = new Set(rows.map(({ id }) => id))
  return ids.map((id) => watchedIds.has(id))
}
