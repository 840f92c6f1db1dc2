import type { ActivityKind, RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import type { WaitingBlock } from '@trellis/dataflow-engine/flow-runs/expected-blocks'
import { type RawBuilder, sql } from 'kysely'
import type { WorkspaceScope } from '../runs.repository.ts'

export interface FlowRunRow {
  id: number
  code: string
  dataflow_id: number
  dataflow_code: string
  dataflow_name: string
  cause: FlowRun['cause']
  who: string | null
  nominal_at: Date | null
  request: { scope?: 'block' | 'from_here' | 'flow'; window?: { from: string; to: string } }
  created_at: Date
  caused_by: FlowRun['caused_by']
}

const SELECT_FLOW_RUN = sql`
  select l.id, l.trellis_code as code, l.dataflow_id, f.trellis_code as dataflow_code, f.name as dataflow_name, l.cause,
         nullif(trim(p.first_name || ' ' || p.surname), '') as who, l.nominal_at, l.request, l.created_at,
         (select json_build_object('dataflow_trellis_code', o.trellis_code, 'dataflow_name', o.name,
                 'task_block_trellis_code', b.trellis_code, 'block_name', b.name, 'task_run_trellis_code', c.trellis_code,
                 'flow_run_trellis_code', (select u.trellis_code from flow_runs u where u.id = c.flow_run_id))
            from task_runs c join task_blocks b on b.id = c.block_id join dataflows o on o.id = c.dataflow_id
           where c.id = l.cause_run_id and c.workspace_id = l.workspace_id) as caused_by
    from flow_runs l join dataflows f on f.id = l.dataflow_id left join profiles p on p.id = l.profile_id`

const inWorkspaceCondition = ({ account, workspace }: WorkspaceScope): RawBuilder<unknown> =>
  sql`l.account_id = ${account.id} and l.workspace_id = ${workspace.id} and f.deleted_at is null`

export async function findFlowRun(scope: WorkspaceScope, code: string): Promise<FlowRunRow | undefined> {
  const { rows } =
    await sql<FlowRunRow>`${SELECT_FLOW_RUN} where ${inWorkspaceCondition(scope)} and l.trellis_code = ${code}`.execute(
      scope.db,
    )
  return rows[0]
}

export interface FlowRunsQuery {
  readonly dataflowId?: number
  readonly before: number | null
  readonly state?: FlowRun['state'] | undefined
  readonly cause?: FlowRun['cause'] | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly isReal?: boolean
  readonly limit: number
}

const CANDIDATE_STATUSES: Partial<Record<FlowRun['state'], RawBuilder<unknown>>> = {
  running: sql`('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')`,
  failed: sql`('FAILED', 'EXCEPTION')`,
  needs_decision: sql`('FAILED')`,
  cancelled: sql`('FAILED')`,
}

/** Dry runs and deleted dataflows are filtered out afterwards. */
const MAX_LATEST_FLOW_RUNS = 60

/** Skips flow runs whose only block run moved to a newer one. */
export async function findFlowRuns(scope: WorkspaceScope, query: FlowRunsQuery): Promise<FlowRunRow[]> {
  const statuses = query.state && CANDIDATE_STATUSES[query.state]
  const { rows } = await sql<FlowRunRow>`
    ${SELECT_FLOW_RUN} where ${inWorkspaceCondition(scope)} and ${query.dataflowId === undefined ? isLatestFlowRun(scope) : sql`l.dataflow_id = ${query.dataflowId}`}
       ${query.from === undefined ? sql`` : sql`and l.created_at >= ${query.from}::timestamptz`}
       ${query.to === undefined ? sql`` : sql`and l.created_at < ${query.to}::timestamptz`}
       and (${query.before}::bigint is null or l.id < ${query.before}) and (${query.cause ?? null}::text is null or l.cause = ${query.cause ?? null})
       and exists (select 1 from task_runs r where r.flow_run_id = l.id ${query.isReal ? sql`and not r.is_shadow` : sql``} ${statuses ? sql`and r.status in ${statuses}` : sql``})
     order by l.id desc limit ${query.limit}`.execute(scope.db)
  return rows
}

const isLatestFlowRun = ({ workspace }: WorkspaceScope): RawBuilder<unknown> => sql`
  l.id = any(array(select id from flow_runs where workspace_id = ${workspace.id} order by id desc limit ${MAX_LATEST_FLOW_RUNS}))`

export interface BlockRunRow {
  id: number
  flow_run_id: number
  code: string
  root: string
  block_code: string
  block_name: string
  is_block_deleted: boolean
  kind: ActivityKind
  status: RunStatus
  is_cancelled: boolean
  needs_decision: boolean
  is_cancel_wanted: boolean
  is_shadow: boolean
  is_alone: boolean
  block_version: number
  started_at: Date | null
  finished_at: Date | null
  counters: Record<string, number>
}

export async function findBlockRuns(scope: WorkspaceScope, flowRunIds: readonly number[]): Promise<BlockRunRow[]> {
  const { rows } = await sql<BlockRunRow>`
    select r.id, r.flow_run_id, r.trellis_code as code, coalesce(r.root_code, r.trellis_code) as root, b.trellis_code as block_code,
           b.name as block_name, b.deleted_at is not null as is_block_deleted, b.kind, r.status,
           coalesce(r.problem ->> 'kind' = 'cancelled', false) or (q.is_asked and b.deleted_at is not null) as is_cancelled,
           q.is_asked and b.deleted_at is null as needs_decision, r.is_cancel_wanted, r.is_shadow,
           coalesce(r.request ->> 'scope' = 'block', false) as is_alone, r.block_version, r.started_at, r.finished_at, r.counters
      from task_runs r join task_blocks b on b.id = r.block_id
      cross join lateral (select coalesce(r.problem #> '{question,decision}' = 'null'::jsonb, false) as is_asked) q
     where r.account_id = ${scope.account.id} and r.workspace_id = ${scope.workspace.id}
       and r.flow_run_id = any(${flowRunIds}::bigint[])
     order by r.id`.execute(scope.db)
  return rows
}

export async function findWaitingBlocks(scope: WorkspaceScope, dataflowId: number): Promise<WaitingBlock[]> {
  const { rows } = await sql<{ id: string; is_all: boolean; waits_for: string[] }>`
    select b.trellis_code as id, v.settings -> 'trigger' ->> 'eventEvaluationType' = 'And' as is_all,
           array(select u.trellis_code from live_waits w join task_blocks u on u.id = w.upstream_id
                  where w.block_id = b.id and u.dataflow_id = b.dataflow_id and u.deleted_at is null) as waits_for
      from task_blocks b join task_block_versions v on v.block_id = b.id and v.version = b.live_version
     where b.account_id = ${scope.account.id} and b.workspace_id = ${scope.workspace.id} and b.dataflow_id = ${dataflowId}
       and b.deleted_at is null
     order by b.id`.execute(scope.db)
  return rows.map(({ id, is_all, waits_for }) => ({ id, scope: is_all ? 'all' : 'any', waitsFor: waits_for }))
}

export async function insertFlowRun(
  scope: WorkspaceScope,
  flowRun: { dataflowId: number; code: string; cause: 'person' | 'api' | 'inbound_webhook'; profileId: number | null },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into flow_runs (account_id, workspace_id, dataflow_id, trellis_code, cause, profile_id, request)
    values (${scope.account.id}, ${scope.workspace.id}, ${flowRun.dataflowId}, ${flowRun.code}, ${flowRun.cause}, ${flowRun.profileId},
            '{"scope": "flow"}')
    returning id`.execute(scope.db)
  return rows[0]?.id as number
}

/** Waits for transactions that start block runs in it: they commit before, or see the cancellation. */
export async function markFlowRunCancelled(scope: WorkspaceScope, id: number, at: Date): Promise<void> {
  await sql`
    update flow_runs set cancelled_at = ${at} where id = ${id} and account_id = ${scope.account.id}`.execute(scope.db)
}

/** Two concurrent retries would run everything twice. */
export async function lockFlowRun(scope: WorkspaceScope, id: number): Promise<void> {
  await sql`
    select 1 from flow_runs where id = ${id} and account_id = ${scope.account.id} for no key update`.execute(scope.db)
}
