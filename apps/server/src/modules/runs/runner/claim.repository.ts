import type { Db } from '@trellis/control-db/database'
import type { ActiveRun, AdmissionLimits, Demand } from '@trellis/dataflow-engine/policies/admission'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { sql } from 'kysely'
import { SET_IDLE_TIMEOUT } from './idle-locks.repository.ts'
import type { ClaimedRun, HeldRun } from './held-run.ts'

type WithDb = { readonly db: Db }

const CLAIM_LOCK = 7_236_403
/** Candidates per workspace, so that a thousand runs of one do not hide another's single run. */
const MAX_CANDIDATES_PER_WORKSPACE = 20

interface OpenRun {
  id: number
  workspace_id: number
  integration_id: number | null
  sessions: number
}

const toDemand = ({ id, workspace_id, integration_id, sessions }: OpenRun): Demand => ({
  id: String(id),
  workspace: String(workspace_id),
  credentials: integration_id === null ? [] : [String(integration_id)],
  sessions,
})

const RUN_SESSIONS = sql`case when r.draft is null then coalesce(v.sessions, 1) else count_run_sessions(r.draft) end`

/** Serialises claims: two at once could both take the last slot. */
export async function lockClaims({ db }: WithDb): Promise<void> {
  await sql`select pg_advisory_xact_lock(${CLAIM_LOCK}), ${SET_IDLE_TIMEOUT}`.execute(db)
}

/**
 * Active runs anywhere and queued candidates, oldest first. One per block without parallel runs; none of a block with a
 * rollback in progress.
 */
export async function findDemands(
  { db }: WithDb,
  { worker, limits }: { worker: string; limits: Pick<AdmissionLimits, 'perWorkspace' | 'sessionsPerWorkspace'> },
): Promise<{ active: ActiveRun[]; queued: Demand[] }> {
  const { rows } = await sql<OpenRun & { is_active: boolean; is_own: boolean }>`
    with active as (
      select r.id, r.workspace_id, r.integration_id, r.block_id, r.worker is not distinct from ${worker} as is_own,
             r.request ? 'window' or r.is_shadow as is_apart, ${RUN_SESSIONS} as sessions
        from task_runs r left join task_block_versions v on v.block_id = r.block_id and v.version = r.block_version
       where r.status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')),
    queued as (
      select r.id, r.workspace_id, r.integration_id, r.block_id, r.block_version, r.draft, r.due_at,
             row_number() over (partition by r.block_id, case when f.overlap = 'parallel' or r.request ? 'window' or r.is_shadow
                                                              then r.id end order by r.due_at, r.id) as block_turn
        from task_runs r join dataflows f on f.id = r.dataflow_id
       where r.status = 'QUEUED' and (r.retry_at is null or r.retry_at <= now())
         and not exists (select 1 from workspace_moves m where m.workspace_id = r.workspace_id and m.state <> 'abandoned')
         and not exists (select 1 from run_undos u where u.block_id = r.block_id and u.status = 'in_progress')
         and (f.overlap = 'parallel' or r.request ? 'window' or r.is_shadow
              or not exists (select 1 from active a where a.block_id = r.block_id and not a.is_apart))),
    turns as (
      select *, row_number() over (partition by workspace_id order by due_at, id) as turn from queued
       where block_turn = 1
         and workspace_id not in (
           select workspace_id from active group by 1
           having count(*) filter (where is_own) >= ${limits.perWorkspace} or sum(sessions) >= ${limits.sessionsPerWorkspace})),
    looked_at as (
      select * from turns where turn <= ${MAX_CANDIDATES_PER_WORKSPACE} order by turn, due_at, id limit 1000)
    select id, workspace_id, integration_id, sessions, true as is_active, is_own, null as due_at from active
    union all
    select r.id, r.workspace_id, r.integration_id, ${RUN_SESSIONS}, false, false, r.due_at
      from looked_at r left join task_block_versions v on v.block_id = r.block_id and v.version = r.block_version
    order by is_active desc, due_at, id`.execute(db)
  return {
    active: rows.filter(({ is_active }) => is_active).map((row) => ({ ...toDemand(row), isOwn: row.is_own })),
    queued: rows.filter(({ is_active }) => !is_active).map(toDemand),
  }
}

export async function claimRuns(
  { db }: WithDb,
  { ids, worker }: { ids: readonly number[]; worker: string },
): Promise<ClaimedRun[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ClaimedRun>`
    update task_runs set status = 'SYSTEM_DEQUEUED', status_since = clock_timestamp(), attempt = attempt + 1,
           epoch = nextval('run_epochs'), worker = ${worker}, retry_at = null,
           lease_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
     where id in (select id from task_runs where id = any(${ids}::bigint[]) and status = 'QUEUED' for update skip locked)
    returning id, account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, epoch, attempt, nominal_at,
           due_at, request, counters, coalesce(root_code, trellis_code) as root_code`.execute(db)
  return rows
}

export async function readHeldRuns({ db }: WithDb, runs: readonly ClaimedRun[]): Promise<HeldRun[]> {
  if (runs.length === 0) return []
  const { rows } = await sql<Omit<HeldRun, keyof ClaimedRun> & { id: number }>`
    select r.id, b.kind, b.trellis_code as block_code, b.name as block_name, w.trellis_code as workspace_code,
           coalesce(r.draft, v.settings) as settings,
           case when a.deleted_at is not null then 'account' when w.deleted_at is not null then 'workspace'
                when w.state <> 'online' then 'database' when f.deleted_at is not null then 'dataflow'
                when b.deleted_at is not null then 'block' end as gone,
           f.overlap = 'parallel' as is_parallel,
           (select count(*)::int from task_block_versions n
             where n.block_id = r.block_id and n.version <= r.block_version) as version_number,
           case when r.attempt = 1 then 0
                else (select coalesce(max(l.number), 0) from task_run_logs l where l.run_id = r.id) end::int as lines
      from task_runs r
      join task_blocks b on b.id = r.block_id
      left join task_block_versions v on v.block_id = r.block_id and v.version = r.block_version
      join dataflows f on f.id = r.dataflow_id
      join workspaces w on w.id = r.workspace_id
      join accounts a on a.id = r.account_id
     where r.id = any(${runs.map(({ id }) => id)}::bigint[]) and coalesce(r.draft, v.settings) is not null`.execute(db)
  const heldById = new Map(rows.map((row) => [row.id, row]))
  return runs.flatMap((run) => {
    const row = heldById.get(run.id)
    return row ? [{ ...run, ...row }] : []
  })
}

type RunClaim = Pick<ClaimedRun, 'id' | 'epoch'>

export async function beginAttempts({ db }: WithDb, runs: readonly RunClaim[], worker: string): Promise<void> {
  if (runs.length === 0) return
  await sql`
    with begun as (
      update task_runs r set status = 'PROVISIONING', status_since = clock_timestamp(),
             started_at = coalesce(r.started_at, clock_timestamp())
        from unnest(${runs.map(({ id }) => id)}::bigint[], ${runs.map(({ epoch }) => epoch)}::bigint[]) as held(id, epoch)
       where r.id = held.id and r.epoch = held.epoch and r.status = 'SYSTEM_DEQUEUED'
      returning r.id, r.account_id, r.attempt)
    insert into task_run_attempts (run_id, account_id, number, status, worker, started_at)
    select id, account_id, attempt, 'RUNNING', ${worker}, clock_timestamp() from begun
    on conflict do nothing`.execute(db)
}

/**
 * Runs leased to this worker that it does not know: its connection broke during a claim or a finish. Those not begun
 * are requeued; leases of the others expire now, so that a reaper raises their epoch. Never call during a claim of this
 * worker.
 */
export async function releaseUnknownRuns(
  { db }: WithDb,
  worker: string,
  knownRunIds: readonly number[],
): Promise<number> {
  const { rows } = await sql`
    update task_runs set
           status = case when status = 'SYSTEM_DEQUEUED' then 'QUEUED' else status end,
           status_since = case when status = 'SYSTEM_DEQUEUED' then clock_timestamp() else status_since end,
           attempt = case when status = 'SYSTEM_DEQUEUED' then attempt - 1 else attempt end,
           worker = case when status = 'SYSTEM_DEQUEUED' then null else worker end,
           lease_until = case when status = 'SYSTEM_DEQUEUED' then null else clock_timestamp() end
     where worker = ${worker} and id <> all(${knownRunIds}::bigint[])
       and status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
    returning id`.execute(db)
  return rows.length
}

/** Requeued without costing an attempt. */
export async function requeueRuns(
  { db }: WithDb,
  runs: readonly RunClaim[],
  status: 'QUEUED' | 'SYSTEM_BLOCKED',
): Promise<void> {
  if (runs.length === 0) return
  await sql`
    update task_runs r set status = ${status}, status_since = clock_timestamp(), attempt = r.attempt - 1, worker = null,
           lease_until = null
      from unnest(${runs.map(({ id }) => id)}::bigint[], ${runs.map(({ epoch }) => epoch)}::bigint[]) as held(id, epoch)
     where r.id = held.id and r.epoch = held.epoch and r.status = 'SYSTEM_DEQUEUED'`.execute(db)
}

/** Without a lock, so that idle workers disturb nobody. */
export async function hasQueued({ db }: WithDb): Promise<boolean> {
  const { rows } = await sql`
    select 1 from task_runs where status = 'QUEUED' and (retry_at is null or retry_at <= now()) limit 1`.execute(db)
  return rows.length > 0
}
