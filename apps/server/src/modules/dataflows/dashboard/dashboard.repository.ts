import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { type RawBuilder, sql } from 'kysely'
import {
  type FlowRunDay,
  selectFlowRunStates,
  selectRunsFinishedBetween,
} from '../flow-runs/flow-run-states.repository.ts'

const IS_RUNNING = sql`status in ('PROVISIONING', 'INITIALIZING', 'RUNNING')`
const IS_OPEN = sql<boolean>`status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')`

export interface Failure {
  readonly dataflow_code: string
  readonly block_code: string
  readonly name: string
  readonly message: string | null
  readonly at: Date
}

export async function findFailures(ctx: WorkspaceScope, limit: number, since = new Date(0)): Promise<Failure[]> {
  return await scoped(ctx, 'task_runs')
    .innerJoin('task_blocks', 'task_blocks.id', 'task_runs.block_id')
    .innerJoin('dataflows', 'dataflows.id', 'task_runs.dataflow_id')
    .select(['dataflows.trellis_code as dataflow_code', 'task_blocks.trellis_code as block_code', 'task_blocks.name'])
    .select(sql<string | null>`task_runs.problem ->> 'message'`.as('message'))
    .select(sql<Date>`coalesce(task_runs.finished_at, task_runs.due_at)`.as('at'))
    .where('task_runs.workspace_id', '=', ctx.workspace.id)
    .where('task_runs.status', 'in', ['FAILED', 'EXCEPTION'])
    .where('task_runs.is_shadow', '=', false)
    .where(sql<boolean>`task_runs.problem ->> 'kind' is distinct from 'cancelled'`)
    .where(sql<Date>`coalesce(task_runs.finished_at, task_runs.due_at)`, '>=', since)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .orderBy('task_runs.finished_at', 'desc')
    .limit(limit)
    .execute()
}

interface NextDue {
  readonly dataflow_code: string
  readonly name: string
  readonly at: Date
}

/** Enough to find several dataflows, unless one has most of them. */
const FIRST_TICKS = 60

export async function findNextDue(ctx: WorkspaceScope, now: Date, limit: number): Promise<NextDue[]> {
  const firstTry = await findNextDueAmong(ctx, { now, limit, ticks: FIRST_TICKS })
  return firstTry.length === limit ? firstTry : await findNextDueAmong(ctx, { now, limit, ticks: null })
}

async function findNextDueAmong(
  ctx: WorkspaceScope,
  { now, limit, ticks }: { now: Date; limit: number; ticks: number | null },
): Promise<NextDue[]> {
  const { rows } = await sql<NextDue>`
    with ticks as materialized (
      select block_id, block_version, nominal_at from schedule_ticks
       where account_id = ${ctx.account.id} and outcome is null and nominal_at > ${now}
       order by nominal_at limit ${ticks})
    select f.trellis_code as dataflow_code, f.name, min(ticks.nominal_at) as at
      from ticks join task_blocks b on b.id = ticks.block_id and b.live_version = ticks.block_version
      join dataflows f on f.id = b.dataflow_id
     where f.account_id = ${ctx.account.id} and f.workspace_id = ${ctx.workspace.id}
       and f.deleted_at is null and not f.is_paused and b.deleted_at is null
     group by f.id order by at limit ${limit}`.execute(ctx.db)
  return rows
}

interface HealthCounts {
  readonly dataflows: number
  readonly running: number
  readonly queued: number
  readonly succeeded: number
  readonly failed: number
  readonly rows: number
  readonly counted: readonly FlowRunDay[]
  readonly yesterday: Omit<FlowRunDay, 'day'>
  readonly today: Omit<FlowRunDay, 'day'>
}

/** One statement, since each round trip costs as much as the count. */
export async function countHealth(
  ctx: WorkspaceScope,
  times: { firstDay: string; yesterday: Date; today: Date; dayAgo: Date },
): Promise<HealthCounts> {
  const { firstDay, yesterday, today, dayAgo } = times
  const isInWorkspace = sql`account_id = ${ctx.account.id} and workspace_id = ${ctx.workspace.id}`
  const buildCount = (state: 'succeeded' | 'failed', when: RawBuilder<unknown>) =>
    sql`count(*) filter (where state = ${sql.lit(state)} and ${when})`
  const buildCounts = (when: RawBuilder<unknown>) =>
    sql`json_build_object('succeeded', ${buildCount('succeeded', when)}, 'failed', ${buildCount('failed', when)})`
  const { rows } = await sql<HealthCounts>`
    with open as materialized (
      select bool_or(${IS_RUNNING}) as is_working from task_runs where ${isInWorkspace} and not is_shadow and ${IS_OPEN} group by flow_run_id)
    select (select count(*) from dataflows where ${isInWorkspace} and deleted_at is null) as dataflows,
           (select coalesce(json_agg(json_build_object('day', day::text, 'succeeded', succeeded, 'failed', failed)), '[]')
              from run_days where ${isInWorkspace} and day >= ${firstDay}::date) as counted,
           (select count(*) from open where is_working) as running,
           (select count(*) from open where not is_working) as queued,
           (select coalesce(sum(coalesce((counters ->> 'rows_written')::bigint, 0)
                     + coalesce((counters ->> 'rows_updated')::bigint, 0)), 0)::bigint
              from task_runs where ${isInWorkspace} and not is_shadow and finished_at >= ${dayAgo}) as rows,
           ended.*
      from (select ${buildCounts(sql`finished_at < ${today} and finished_at >= ${yesterday}`)} as yesterday,
                   ${buildCounts(sql`finished_at >= ${today}`)} as today,
                   ${buildCount('succeeded', sql`finished_at >= ${dayAgo}`)} as succeeded,
                   ${buildCount('failed', sql`finished_at >= ${dayAgo}`)} as failed
              from (${selectFlowRunStates(ctx, selectRunsFinishedBetween(ctx, { since: yesterday }))}) states) ended`.execute(
    ctx.db,
  )
  return rows[0] as HealthCounts
}

/** Days complete by the database's clock: a local clock ahead would freeze a day too early. */
export async function saveRunDays(ctx: WorkspaceScope, days: readonly FlowRunDay[]): Promise<void> {
  await sql`
    insert into run_days (account_id, workspace_id, day, succeeded, failed)
    select ${ctx.account.id}, ${ctx.workspace.id}, d.day, d.succeeded, d.failed
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(day date, succeeded int, failed int)
     where d.day < ((now() - interval '1 day') at time zone 'UTC')::date
    on conflict do nothing`.execute(ctx.db)
}

interface LastFailure {
  readonly flow_run_trellis_code: string
  readonly dataflow_trellis_code: string
  readonly dataflow_name: string
  readonly state: 'failed' | 'needs_decision'
  readonly block_names: string[]
  readonly message: string | null
  readonly at: Date
}

/** Enough to find several flow runs, unless one has most of them. */
const FIRST_FAILED_BLOCKS = 30
const MAX_FAILED_BLOCKS = 300

export async function findLastFailures(ctx: WorkspaceScope, limit: number): Promise<LastFailure[]> {
  const firstTry = await findFailuresAmong(ctx, { limit, blocks: FIRST_FAILED_BLOCKS })
  const blockCount = firstTry.reduce((sum, { block_names: names }) => sum + names.length, 0)
  if (firstTry.length === limit || blockCount < FIRST_FAILED_BLOCKS) return firstTry
  return await findFailuresAmong(ctx, { limit, blocks: MAX_FAILED_BLOCKS })
}

async function findFailuresAmong(
  ctx: WorkspaceScope,
  { limit, blocks }: { limit: number; blocks: number },
): Promise<LastFailure[]> {
  const { rows } = await sql<LastFailure>`
    with failed as materialized (
      select r.id, r.flow_run_id, b.name, f.trellis_code as dataflow_code, f.name as dataflow_name, r.problem,
             coalesce(r.finished_at, r.due_at) as at, coalesce(r.problem #> '{question,decision}' = 'null'::jsonb, false) as is_asked
        from task_runs r join task_blocks b on b.id = r.block_id join dataflows f on f.id = b.dataflow_id
       where r.account_id = ${ctx.account.id} and r.workspace_id = ${ctx.workspace.id} and b.deleted_at is null
         and f.deleted_at is null and r.status in ('FAILED', 'EXCEPTION') and not r.is_shadow
         and r.problem ->> 'kind' is distinct from 'cancelled'
         and not exists (select from task_runs later
                          where later.block_id = r.block_id and later.id > r.id and not later.is_shadow)
       order by coalesce(r.finished_at, r.due_at) desc limit ${blocks})
    select l.trellis_code as flow_run_trellis_code, r.dataflow_code as dataflow_trellis_code, r.dataflow_name,
           case when bool_and(r.is_asked) then 'needs_decision' else 'failed' end as state,
           array_agg(r.name order by r.is_asked, r.id) as block_names,
           (array_agg(r.problem ->> 'message' order by r.is_asked, r.id))[1] as message, max(r.at) as at
      from failed r join flow_runs l on l.id = r.flow_run_id
     group by l.id, r.dataflow_code, r.dataflow_name order by max(r.at) desc limit ${limit}`.execute(ctx.db)
  return rows
}
