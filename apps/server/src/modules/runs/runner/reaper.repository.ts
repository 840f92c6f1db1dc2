import type { ActivityKind, RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { Db } from '@trellis/control-db/database'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { sql } from 'kysely'
import { SET_IDLE_TIMEOUT } from './idle-locks.repository.ts'
import type { LogLevel, RunRequest } from './run-work.ts'

type WithDb = { readonly db: Db }

export interface LostRun {
  id: number
  epoch: number
  trellis_code: string
  root_code: string
  account_id: number
  workspace_id: number
  workspace_code: string
  block_code: string
  kind: ActivityKind
  is_parallel: boolean
  dataflow_id: number
  block_id: number
  block_version: number
  attempt: number
  status: RunStatus
  is_cancel_wanted: boolean
  counters: Record<string, number>
  request: RunRequest
  stands_ms: number
  settings: { attempts?: number; most_minutes?: number } | null
  now: Date
}

/** Expired leases. The holder may be alive, so it is fenced first. */
export async function findLostRuns({ db }: WithDb, limit = 100): Promise<LostRun[]> {
  const { rows } = await sql<LostRun>`
    select r.id, r.epoch, r.trellis_code, coalesce(r.root_code, r.trellis_code) as root_code, r.account_id, r.workspace_id,
           r.dataflow_id, r.block_id, r.block_version, r.attempt, r.status, r.is_cancel_wanted, r.counters, r.request,
           extract(epoch from clock_timestamp() - r.status_since)::float8 * 1000 as stands_ms, clock_timestamp() as now,
           coalesce(r.draft, v.settings) as settings,
           w.trellis_code as workspace_code, b.trellis_code as block_code, b.kind, f.overlap = 'parallel' as is_parallel
      from task_runs r join workspaces w on w.id = r.workspace_id join task_blocks b on b.id = r.block_id
      join dataflows f on f.id = r.dataflow_id
      left join task_block_versions v on v.block_id = r.block_id and v.version = r.block_version
     where r.status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING') and r.lease_until < clock_timestamp()
     order by r.lease_until limit ${limit}`.execute(db)
  return rows
}

/** One reaper wins; its epoch is the highest. The others pass the run by and take up the next. */
export async function claimLostRun({ db }: WithDb, run: Pick<LostRun, 'id' | 'epoch'>): Promise<number | undefined> {
  const { rows } = await sql<{ epoch: number }>`
    update task_runs set epoch = nextval('run_epochs'), lease_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     where id = (
       select id from task_runs where id = ${run.id} and epoch = ${run.epoch} and lease_until < clock_timestamp()
          and status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
          for no key update skip locked)
    returning epoch, ${SET_IDLE_TIMEOUT}`.execute(db)
  return rows[0]?.epoch
}

/** After the worker's last line; the fence prevents later ones. */
export async function insertLostRunLog(
  { db }: WithDb,
  run: LostRun,
  { level, message }: LostRunLogLine,
): Promise<void> {
  await sql`
    insert into task_run_logs (run_id, account_id, number, at, level, attempt, message)
    select ${run.id}, ${run.account_id}, coalesce(max(number), 0) + 1, ${run.now}, ${level}, ${run.attempt}, ${message}
      from task_run_logs where run_id = ${run.id}
    on conflict do nothing`.execute(db)
  await sql`select pg_notify('trellis_runs', ${`log:${run.id}`})`.execute(db)
}

interface LostRunLogLine {
  level: LogLevel
  message: string
}

export interface StuckRun {
  id: number
  status: 'QUEUED' | 'SYSTEM_BLOCKED'
  since: Date
  now: Date
}

export async function findStuckRuns({ db }: WithDb, olderThanMs: number): Promise<StuckRun[]> {
  const { rows } = await sql<StuckRun>`
    select id, status, case when retry_at > status_since then retry_at else status_since end as since, now() as now
      from task_runs
     where status in ('QUEUED', 'SYSTEM_BLOCKED') and status_since < now() - ${olderThanMs}::float8 * interval '1 millisecond'
     order by status_since limit 100`.execute(db)
  return rows
}

export async function endStuckRun(
  { db }: WithDb,
  run: Pick<StuckRun, 'id' | 'status'>,
  end: { status: 'FAILED' | 'EXCEPTION'; problem: object },
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update task_runs set status = ${end.status}, status_since = clock_timestamp(), finished_at = clock_timestamp(),
             retry_at = null, problem = ${JSON.stringify(end.problem)}::jsonb
       where id = ${run.id} and status = ${run.status}
      returning id, dataflow_id)
    select id, pg_notify('trellis_runs', 'flow:' || dataflow_id) from ended`.execute(db)
  return rows.length > 0
}

export async function findBlockedAccounts({ db }: WithDb): Promise<number[]> {
  const { rows } = await sql<{ account_id: number }>`
    select distinct account_id from task_runs where status = 'SYSTEM_BLOCKED' limit 1000`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

export async function unblockRuns({ db }: WithDb, accountId: number): Promise<void> {
  await sql`
    with freed as (
      update task_runs set status = 'QUEUED', status_since = clock_timestamp()
       where account_id = ${accountId} and status = 'SYSTEM_BLOCKED'
      returning id)
    select pg_notify('trellis_runs', 'queued') from freed limit 1`.execute(db)
}
