import type { ActivityKind, RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { RunNeighbour, RunUndo, TaskRun } from '@trellis/contract/runs/runs.schemas'
import type { AnyDb } from '@trellis/control-db/database'
import { type RawBuilder, sql } from 'kysely'
import { CANCELLED_PROBLEM } from './cancelled.ts'
import type { RunRequest } from './runner/run-work.ts'

export interface WorkspaceScope {
  readonly db: AnyDb
  readonly account: { readonly id: number }
  readonly workspace: { readonly id: number }
}

export interface UndoProgress {
  readonly table?: string
  readonly tables_done?: number
  readonly rows?: number
}

export interface RunRow {
  id: number
  trellis_code: string
  block_id: number
  block_code: string
  block_name: string
  is_block_deleted: boolean
  kind: ActivityKind
  dataflow_code: string
  dataflow_id: number
  status: RunStatus
  started_by: TaskRun['started_by']
  who: string | null
  request: RunRequest
  nominal_at: Date | null
  due_at: Date
  started_at: Date | null
  finished_at: Date | null
  retry_at: Date | null
  counters: Record<string, number>
  problem: TaskRun['problem']
  block_version: number
  version_number: number
  is_cancel_wanted: boolean
  is_shadow: boolean
  after: string[] | null
  undo_status: RunUndo['status'] | null
  undo_who: string | null
  undo_since: Date | null
  undo_finished_at: Date | null
  undo_tables: number | null
  undo_progress: UndoProgress | null
  undo_error: string | null
  needs_decision: boolean
  /** A rollback of the block is in progress. */
  is_held: boolean
  flow_run_code: string | null
}

const SELECT_RUN = sql`
  select r.id, r.trellis_code, r.block_id, b.trellis_code as block_code, b.name as block_name, b.kind,
         b.deleted_at is not null as is_block_deleted, f.trellis_code as dataflow_code, r.dataflow_id, r.status, r.started_by,
         nullif(trim(p.first_name || ' ' || p.surname), '') as who, r.request, r.nominal_at, r.due_at, r.started_at,
         r.finished_at, r.retry_at, r.counters, r.problem, r.block_version, r.is_cancel_wanted, r.is_shadow,
         (select count(*)::int from task_block_versions v
           where v.block_id = r.block_id and v.version <= r.block_version) as version_number,
         (select array_agg(distinct u.name order by u.name) from trigger_events e
            join task_runs s on s.id = e.source_run_id join task_blocks u on u.id = s.block_id
           where e.run_id = r.id) as after,
         u.status as undo_status, u.who as undo_who, u.created_at as undo_since, u.finished_at as undo_finished_at,
         cardinality(u.load_ids) as undo_tables, u.progress as undo_progress, u.error as undo_error,
         r.status = 'QUEUED' and exists (select from run_undos h where h.block_id = r.block_id
                                            and h.status = 'in_progress') as is_held,
         coalesce(r.problem #> '{question,decision}' = 'null'::jsonb, false) and b.deleted_at is null
           and not exists (select from task_runs n where n.retry_of = r.id) as needs_decision,
         (select l.trellis_code from flow_runs l where l.id = r.flow_run_id) as flow_run_code
    from task_runs r
    join task_blocks b on b.id = r.block_id
    join dataflows f on f.id = r.dataflow_id
    left join profiles p on p.id = r.profile_id
    left join lateral (
      select n.*, nullif(trim(w.first_name || ' ' || w.surname), '') as who
        from run_undos n left join profiles w on w.id = n.profile_id
       where n.account_id = r.account_id and n.root_code = coalesce(r.root_code, r.trellis_code)
       order by n.created_at desc limit 1) as u on true`

const inWorkspaceCondition = ({ account, workspace }: WorkspaceScope): RawBuilder<unknown> =>
  sql`r.account_id = ${account.id} and r.workspace_id = ${workspace.id}`

export async function findRun(scope: WorkspaceScope, code: string): Promise<RunRow | undefined> {
  const { rows } =
    await sql<RunRow>`${SELECT_RUN} where ${inWorkspaceCondition(scope)} and r.trellis_code = ${code}`.execute(scope.db)
  return rows[0]
}

export interface RunsQuery {
  readonly dataflowId: number
  readonly page: number
  readonly status?: string | undefined
  readonly blockCode?: string | undefined
  readonly startedBy?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export const RUNS_PER_PAGE = 50

export async function findRuns(scope: WorkspaceScope, query: RunsQuery): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    ${SELECT_RUN} where ${inWorkspaceCondition(scope)} and r.dataflow_id = ${query.dataflowId}
       and (${query.status ?? null}::text is null or r.status = ${query.status ?? null})
       and (${query.blockCode ?? null}::text is null or b.trellis_code = ${query.blockCode ?? null})
       and (${query.startedBy ?? null}::text is null or r.started_by = ${query.startedBy ?? null})
       and (${query.from ?? null}::timestamptz is null or r.due_at >= ${query.from ?? null}::timestamptz)
       and (${query.to ?? null}::timestamptz is null or r.due_at < ${query.to ?? null}::timestamptz)
     order by r.id desc limit ${RUNS_PER_PAGE + 1} offset ${(query.page - 1) * RUNS_PER_PAGE}`.execute(scope.db)
  return rows
}

export async function findRunsOfFlow(scope: WorkspaceScope, flowRunId: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    ${SELECT_RUN} where ${inWorkspaceCondition(scope)} and r.flow_run_id = ${flowRunId} order by r.id limit 1000`.execute(
    scope.db,
  )
  return rows
}

/** Open, being rolled back, or recently ended: everything a watcher may have missed. */
export async function findRecentRuns(scope: WorkspaceScope, dataflowId: number): Promise<RunRow[]> {
  const { rows } = await sql<RunRow>`
    with undone as materialized (
      select run_id, root_code from run_undos where dataflow_id = ${dataflowId}
         and (finished_at is null or finished_at > now() - interval '2 minutes'))
    ${SELECT_RUN} where ${inWorkspaceCondition(scope)} and r.dataflow_id = ${dataflowId} and r.id in (
      (select id from task_runs where dataflow_id = ${dataflowId}
          and status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
        order by id desc limit 500)
      union
      (select id from task_runs where dataflow_id = ${dataflowId} and finished_at > now() - interval '2 minutes'
        order by id desc limit 500)
      union
      (select id from task_runs where trellis_code in (select root_code from undone)
        union select run_id from undone))
     order by r.id`.execute(scope.db)
  return rows
}

export async function findDataflowId(scope: WorkspaceScope, code: string): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select r.id from dataflows r where ${inWorkspaceCondition(scope)} and r.trellis_code = ${code} and r.deleted_at is null`.execute(
    scope.db,
  )
  return rows[0]?.id
}

export interface BlockRow {
  id: number
  code: string
  name: string
  kind: ActivityKind
  dataflow_id: number
  dataflow_code: string
  live_version: number | null
  integration_id: number | null
  draft_integration_id: number | null
}

export async function findBlock(scope: WorkspaceScope, code: string): Promise<BlockRow | undefined> {
  const { rows } = await sql<BlockRow>`
    select r.id, r.trellis_code as code, r.name, r.kind, r.dataflow_id, f.trellis_code as dataflow_code, r.live_version,
           r.integration_id as draft_integration_id,
           (select i.id from task_block_versions v join integrations i on i.trellis_code = v.settings->>'integration_trellis_code'
             where v.block_id = r.id and v.version = r.live_version and i.workspace_id = r.workspace_id) as integration_id
      from task_blocks r join dataflows f on f.id = r.dataflow_id
     where ${inWorkspaceCondition(scope)} and r.trellis_code = ${code} and r.deleted_at is null and f.deleted_at is null`.execute(
    scope.db,
  )
  return rows[0]
}

export interface NewRun {
  readonly code: string
  readonly block: Pick<BlockRow, 'id' | 'dataflow_id' | 'integration_id'>
  readonly version: number
  readonly startedBy: TaskRun['started_by']
  readonly profileId: number | null
  readonly request: RunRequest
  readonly at: Date
  readonly retryOf?: { readonly id: number; readonly rootCode: string }
  readonly draft?: object
  /** By default a retry stays in its flow run, anything else starts a new one. */
  readonly flowRunId?: number
  readonly flowRunCode: string
}

const FLOW_CAUSES: Partial<Record<TaskRun['started_by'], 'api' | 'backfill'>> = { api: 'api', backfill: 'backfill' }

export async function insertRun(scope: WorkspaceScope, run: NewRun): Promise<void> {
  const { scope: runScope, window } = run.request
  const requestText = JSON.stringify({ ...(runScope && { scope: runScope }), ...(window && { window }) })
  await sql`
    with known as (
      select coalesce(${run.flowRunId ?? null}::bigint,
             (select flow_run_id from task_runs where id = ${run.retryOf?.id ?? null}::bigint)) as id),
    begun as (
      insert into flow_runs (account_id, workspace_id, dataflow_id, trellis_code, cause, profile_id, request)
      select ${scope.account.id}, ${scope.workspace.id}, ${run.block.dataflow_id}::bigint, ${run.flowRunCode},
             ${FLOW_CAUSES[run.startedBy] ?? 'person'}, ${run.profileId}::bigint, ${requestText}::jsonb
        from known where id is null
      returning id),
    reopened as (
      update flow_runs set cancelled_at = null where id = (select id from known) and cancelled_at is not null),
    made as (
      insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by,
             profile_id, request, due_at, integration_id, retry_of, root_code, draft, flow_run_id)
      values (${scope.account.id}, ${scope.workspace.id}, ${run.block.dataflow_id}, ${run.block.id}, ${run.code}, ${run.version},
             ${run.startedBy}, ${run.profileId}, ${JSON.stringify(run.request)}, ${run.at}, ${run.block.integration_id},
             ${run.retryOf?.id ?? null}, ${run.retryOf?.rootCode ?? null}, coalesce(${run.draft ? JSON.stringify(run.draft) : null}::json,
             (select draft from task_runs where id = ${run.retryOf?.id ?? null}::bigint)),
             coalesce((select id from known), (select id from begun)))
      returning dataflow_id)
    select pg_notify('trellis_runs', 'queued'), pg_notify('trellis_runs', 'flow:' || dataflow_id) from made`.execute(
    scope.db,
  )
}

export async function countWaitingRuns(scope: WorkspaceScope, blockId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from task_runs r
     where ${inWorkspaceCondition(scope)} and r.block_id = ${blockId} and r.status in ('QUEUED', 'SYSTEM_BLOCKED')`.execute(
    scope.db,
  )
  return rows[0]?.count ?? 0
}

export async function findRootCode(scope: WorkspaceScope, runId: number): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    select coalesce(r.root_code, r.trellis_code) as code from task_runs r where ${inWorkspaceCondition(scope)} and r.id = ${runId}`.execute(
    scope.db,
  )
  return rows[0]?.code
}

/** Runs without holder end at once; holders are notified. */
export async function cancelRuns(scope: WorkspaceScope, runIds: readonly number[]): Promise<void> {
  await sql`
    with open as (
      select r.id, r.status in ('QUEUED', 'SYSTEM_BLOCKED') as is_unheld from task_runs r
       where ${inWorkspaceCondition(scope)} and r.id = any(${runIds}::bigint[]) and r.status not in ('SUCCESS', 'FAILED', 'EXCEPTION')
       order by r.id for no key update),
    cancelled as (
      update task_runs r set is_cancel_wanted = true,
             status = case when o.is_unheld then 'FAILED' else r.status end,
             status_since = case when o.is_unheld then clock_timestamp() else r.status_since end,
             finished_at = case when o.is_unheld then clock_timestamp() end,
             retry_at = case when o.is_unheld then null else r.retry_at end,
             problem = case when o.is_unheld then ${JSON.stringify(CANCELLED_PROBLEM)}::jsonb else r.problem end
        from open o where r.id = o.id
      returning r.id, r.dataflow_id)
    select pg_notify('trellis_runs', 'cancel'), pg_notify('trellis_runs', 'flow:' || dataflow_id) from cancelled`.execute(
    scope.db,
  )
}

/** Of a decision and a retry at the same time, the second has to see the first. */
export async function lockParentFlowRun(scope: WorkspaceScope, runId: number): Promise<void> {
  await sql`
    select 1 from flow_runs where id = (select r.flow_run_id from task_runs r where ${inWorkspaceCondition(scope)} and r.id = ${runId})
       for no key update`.execute(scope.db)
}

export async function writeDecision(scope: WorkspaceScope, runId: number, decision: object): Promise<boolean> {
  const { rows } = await sql`
    update task_runs r set problem = jsonb_set(problem, '{question,decision}', ${JSON.stringify(decision)}::jsonb)
     where ${inWorkspaceCondition(scope)} and r.id = ${runId} and problem #> '{question,decision}' = 'null'::jsonb
    returning r.id, pg_notify('trellis_runs', 'flow:' || r.dataflow_id)`.execute(scope.db)
  return rows.length > 0
}

export interface AttemptRow {
  number: number
  status: RunStatus
  started_at: Date
  finished_at: Date | null
  worker: string
  message: string | null
}

export async function findAttempts(scope: WorkspaceScope, runId: number): Promise<AttemptRow[]> {
  const { rows } = await sql<AttemptRow>`
    select number, status, started_at, finished_at, worker, message from task_run_attempts
     where account_id = ${scope.account.id} and run_id = ${runId} order by number`.execute(scope.db)
  return rows
}

export async function findNeighbours(
  scope: WorkspaceScope,
  runId: number,
): Promise<{ upstream: RunNeighbour[]; downstream: RunNeighbour[] }> {
  const { rows } = await sql<RunNeighbour & { is_upstream: boolean }>`
    select distinct r.id, r.trellis_code as task_run_trellis_code, b.name as block_name, r.status,
           e.run_id = ${runId} as is_upstream
      from trigger_events e
      join task_runs r on r.id = case when e.run_id = ${runId} then e.source_run_id else e.run_id end
      join task_blocks b on b.id = r.block_id
     where ${inWorkspaceCondition(scope)} and e.account_id = ${scope.account.id} and (e.run_id = ${runId} or e.source_run_id = ${runId})
     order by r.id`.execute(scope.db)
  const listNeighbours = (isUpstream: boolean) =>
    rows
      .filter(({ is_upstream }) => is_upstream === isUpstream)
      .map(({ task_run_trellis_code, block_name, status }) => ({ task_run_trellis_code, block_name, status }))
  return { upstream: listNeighbours(true), downstream: listNeighbours(false) }
}

export async function findCanvasChange(
  scope: WorkspaceScope,
  dataflowId: number,
): Promise<{ at: number | null; by: string | null }> {
  const { rows } = await sql<{ at: Date; by: string | null }>`
    select c.updated_at as at, nullif(trim(p.first_name || ' ' || p.surname), '') as by
      from (select updated_at, updated_by from task_blocks where account_id = ${scope.account.id} and dataflow_id = ${dataflowId}
            union all
            select updated_at, updated_by from dataflows where account_id = ${scope.account.id} and id = ${dataflowId}) as c
      left join profiles p on p.id = c.updated_by
     order by c.updated_at desc limit 1`.execute(scope.db)
  return { at: rows[0]?.at.getTime() ?? null, by: rows[0]?.by ?? null }
}
