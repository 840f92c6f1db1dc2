import type { FlowRun } from '@trellis/contract/runs/flow-runs.schemas'
import type { WorkspaceScope } from '@trellis/control-db/scoped'
import { type RawBuilder, sql } from 'kysely'

const OPEN_STATUSES = sql`('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')`
const NEEDS_DECISION = sql`coalesce(problem #> '{question,decision}' = 'null'::jsonb, false)`
/** Nobody can decide any more. */
const IS_BLOCK_DELETED = sql`exists (select from task_blocks b where b.id = block_id and b.deleted_at is not null)`
const WORKING_STATUSES = sql`('PROVISIONING', 'INITIALIZING', 'RUNNING')`

const inWorkspaceCondition = ({ account, workspace }: WorkspaceScope): RawBuilder<unknown> =>
  sql`account_id = ${account.id} and workspace_id = ${workspace.id}`

/**
 * Must match `summarizeFlowRun` of the engine; in SQL, for lists and counts. `ids`: a subquery, so that the index is
 * used whatever the planner estimates.
 */
export const selectFlowRunStates = (scope: WorkspaceScope, ids: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select r.flow_run_id, r.dataflow_id,
         case when bool_or(r.is_latest and r.status in ${OPEN_STATUSES}) then 'running'
              when bool_or(r.is_latest and r.ending = 'failed') then 'failed'
              when bool_or(r.is_latest and r.ending = 'needs_decision') then 'needs_decision'
              when bool_or(r.is_latest and r.ending = 'cancelled') then 'cancelled'
              else 'succeeded' end as state,
         bool_or(r.status in ${WORKING_STATUSES}) as is_working, min(r.started_at) as started_at, max(r.finished_at) as finished_at
    from (
      with own as materialized (
        select id, flow_run_id, dataflow_id, status, started_at, finished_at, root_code, trellis_code,
               case when status in ('FAILED', 'EXCEPTION')
                    then case when problem ->> 'kind' = 'cancelled' then 'cancelled'
                              when not ${NEEDS_DECISION} then 'failed'
                              when ${IS_BLOCK_DELETED} then 'cancelled' else 'needs_decision' end end as ending
          from task_runs where ${inWorkspaceCondition(scope)} and not is_shadow and flow_run_id = any(array(${ids}))),
      retried as materialized (select root_code, max(id) as id from own where root_code is not null group by root_code)
      select o.*, t.id is null or t.id = o.id as is_latest
        from own o left join retried t on t.root_code = coalesce(o.root_code, o.trellis_code)) r
   group by r.flow_run_id, r.dataflow_id`

export const selectRunsFinishedBetween = (
  scope: WorkspaceScope,
  { since, until }: { since: Date; until?: Date },
): RawBuilder<unknown> => sql`
  select distinct flow_run_id from task_runs where ${inWorkspaceCondition(scope)} and not is_shadow and finished_at >= ${since}
     ${until ? sql`and finished_at < ${until}` : sql``}`

export interface LastFlowRun {
  readonly dataflow_id: number
  readonly code: string
  readonly state: FlowRun['state']
  readonly created_at: Date
  readonly started_at: Date | null
  /** For an active one, the end of its latest block. */
  readonly finished_at: Date | null
}

export async function findLastFlowRuns(
  scope: WorkspaceScope,
  dataflowIds: readonly number[],
): Promise<Map<number, LastFlowRun>> {
  if (dataflowIds.length === 0) return new Map()
  const { rows } = await sql<LastFlowRun>`
    with last as materialized (
      select l.* from unnest(${dataflowIds}::bigint[]) d(id) cross join lateral (
        select id, trellis_code, created_at from flow_runs f where f.dataflow_id = d.id and ${inWorkspaceCondition(scope)}
           and exists (select from task_runs r where r.flow_run_id = f.id and not r.is_shadow)
         order by id desc limit 1) l)
    select s.dataflow_id, l.trellis_code as code, s.state, l.created_at, s.started_at, s.finished_at
      from last l join (${selectFlowRunStates(scope, sql`select id from last`)}) s on s.flow_run_id = l.id`.execute(
    scope.db,
  )
  return new Map(rows.map((row) => [row.dataflow_id, row]))
}

export interface FlowRunDay {
  readonly day: string
  readonly succeeded: number
  readonly failed: number
}

const DAY = sql`to_char(s.finished_at at time zone 'UTC', 'YYYY-MM-DD')`
const COUNTS = sql`count(*) filter (where s.state = 'succeeded') as succeeded, count(*) filter (where s.state = 'failed') as failed`

/** By day of their end, without cancelled ones and those waiting for a decision. */
export async function countFlowRunsByDay(
  scope: WorkspaceScope,
  range: { since: Date; until: Date },
): Promise<FlowRunDay[]> {
  const { rows } = await sql<FlowRunDay>`
    select ${DAY} as day, ${COUNTS} from (${selectFlowRunStates(scope, selectRunsFinishedBetween(scope, range))}) s
     where s.state <> 'running' and s.finished_at >= ${range.since} and s.finished_at < ${range.until}
     group by 1`.execute(scope.db)
  return rows
}

export async function countFlowRunsByDataflow(
  scope: WorkspaceScope,
  dataflowIds: readonly number[],
  since: Date,
): Promise<(FlowRunDay & { dataflow_id: number })[]> {
  if (dataflowIds.length === 0) return []
  const runIds = sql`${selectRunsFinishedBetween(scope, { since })} and dataflow_id = any(${dataflowIds}::bigint[])`
  const { rows } = await sql<FlowRunDay & { dataflow_id: number }>`
    select s.dataflow_id, ${DAY} as day, ${COUNTS} from (${selectFlowRunStates(scope, runIds)}) s
     where s.state <> 'running' and s.finished_at >= ${since}
     group by 1, 2`.execute(scope.db)
  return rows
}
