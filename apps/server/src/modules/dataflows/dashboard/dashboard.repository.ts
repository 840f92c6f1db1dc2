import { scoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export interface Counts {
  readonly running: number
  readonly queued: number
  readonly succeeded: number
  readonly failed: number
  readonly rows: number
}

const RUNNING = sql`status in ('PROVISIONING', 'INITIALIZING', 'RUNNING')`
const OPEN = sql<boolean>`status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')`

export async function countRuns(ctx: WorkspaceScope, since: Date): Promise<Counts> {
  const runs = () =>
    scoped(ctx, 'task_runs').where('workspace_id', '=', ctx.workspace.id).where('is_shadow', '=', false)
  const open = await runs()
    .select(sql<number>`count(*) filter (where ${RUNNING})`.as('running'))
    .select(sql<number>`count(*) filter (where not ${RUNNING})`.as('queued'))
    .where(OPEN)
    .executeTakeFirstOrThrow()
  const ended = await runs()
    .select(sql<number>`count(*) filter (where status = 'SUCCESS')`.as('succeeded'))
    .select(sql<number>`count(*) filter (where status in ('FAILED', 'EXCEPTION'))`.as('failed'))
    .select(
      sql<number>`coalesce(sum(coalesce((counters ->> 'rows_written')::bigint, 0)
        + coalesce((counters ->> 'rows_updated')::bigint, 0)), 0)::bigint`.as('rows'),
    )
    .where('finished_at', '>=', since)
    .executeTakeFirstOrThrow()
  return { ...open, ...ended }
}

export interface Failure {
  readonly dataflow_code: string
  readonly block_code: string
  readonly name: string
  readonly message: string | null
  readonly at: Date
}

export async function findFailures(ctx: WorkspaceScope, most: number, since = new Date(0)): Promise<Failure[]> {
  return await scoped(ctx, 'task_runs')
    .innerJoin('task_blocks', 'task_blocks.id', 'task_runs.block_id')
    .innerJoin('dataflows', 'dataflows.id', 'task_runs.dataflow_id')
    .select(['dataflows.trellis_code as dataflow_code', 'task_blocks.trellis_code as block_code', 'task_blocks.name'])
    .select(sql<string | null>`task_runs.problem ->> 'message'`.as('message'))
    .select(sql<Date>`coalesce(task_runs.finished_at, task_runs.due_at)`.as('at'))
    .where('task_runs.workspace_id', '=', ctx.workspace.id)
    .where('task_runs.status', 'in', ['FAILED', 'EXCEPTION'])
    .where('task_runs.is_shadow', '=', false)
    .where(sql<Date>`coalesce(task_runs.finished_at, task_runs.due_at)`, '>=', since)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .orderBy('task_runs.finished_at', 'desc')
    .limit(most)
    .execute()
}

interface NextDue {
  readonly dataflow_code: string
  readonly name: string
  readonly at: Date
}

/** Enough due times to find a few dataflows in, unless most of them belong to one. */
const FIRST_TICKS = 60

/** The dataflows that come due next, by the due times that are planned. */
export async function findNextDue(ctx: WorkspaceScope, now: Date, limit: number): Promise<NextDue[]> {
  const first = await findNextDueAmong(ctx, { now, limit, ticks: FIRST_TICKS })
  return first.length === limit ? first : await findNextDueAmong(ctx, { now, limit, ticks: null })
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

interface RunDay {
  readonly day: string
  readonly succeeded: number
  readonly failed: number
}

export async function countRunsByDay(ctx: WorkspaceScope, range: { since: Date; until: Date }): Promise<RunDay[]> {
  return await scoped(ctx, 'task_runs')
    .select(sql<string>`(finished_at at time zone 'UTC')::date::text`.as('day'))
    .select(sql<number>`count(*) filter (where status = 'SUCCESS')`.as('succeeded'))
    .select(sql<number>`count(*) filter (where status in ('FAILED', 'EXCEPTION'))`.as('failed'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('is_shadow', '=', false)
    .where('finished_at', '>=', range.since)
    .where('finished_at', '<', range.until)
    .groupBy(sql`(finished_at at time zone 'UTC')::date`)
    .execute()
}

interface HealthCounts extends Counts {
  readonly dataflows: number
  /** Days that are over and were counted before. */
  readonly counted: readonly RunDay[]
  readonly yesterday: Omit<RunDay, 'day'>
  readonly today: Omit<RunDay, 'day'>
}

const SUCCEEDED = sql`status = 'SUCCESS'`
const FAILED = sql`status in ('FAILED', 'EXCEPTION')`

/** One statement: each round trip would cost as much as its counting. */
export async function countHealth(
  ctx: WorkspaceScope,
  times: { firstDay: string; yesterday: Date; today: Date; dayAgo: Date },
): Promise<HealthCounts> {
  const { firstDay, yesterday, today, dayAgo } = times
  const own = sql`account_id = ${ctx.account.id} and workspace_id = ${ctx.workspace.id}`
  const { rows } = await sql<HealthCounts>`
    select (select count(*) from dataflows where ${own} and deleted_at is null) as dataflows,
           (select coalesce(json_agg(json_build_object('day', day::text, 'succeeded', succeeded, 'failed', failed)), '[]')
              from run_days where ${own} and day >= ${firstDay}::date) as counted,
           open.*, ended.*
      from (select count(*) filter (where ${RUNNING}) as running, count(*) filter (where not ${RUNNING}) as queued
              from task_runs where ${own} and not is_shadow and ${OPEN}) open,
           (select json_build_object(
                     'succeeded', count(*) filter (where ${SUCCEEDED} and finished_at < ${today}),
                     'failed', count(*) filter (where ${FAILED} and finished_at < ${today})) as yesterday,
                   json_build_object(
                     'succeeded', count(*) filter (where ${SUCCEEDED} and finished_at >= ${today}),
                     'failed', count(*) filter (where ${FAILED} and finished_at >= ${today})) as today,
                   count(*) filter (where ${SUCCEEDED} and finished_at >= ${dayAgo}) as succeeded,
                   count(*) filter (where ${FAILED} and finished_at >= ${dayAgo}) as failed,
                   coalesce(sum(coalesce((counters ->> 'rows_written')::bigint, 0)
                     + coalesce((counters ->> 'rows_updated')::bigint, 0))
                     filter (where finished_at >= ${dayAgo}), 0)::bigint as rows
              from task_runs where ${own} and not is_shadow and finished_at >= ${yesterday}) ended`.execute(ctx.db)
  return rows[0] as HealthCounts
}

/** Only days the database itself counts as over: a clock that is ahead must not freeze a day that still gets runs. */
export async function saveRunDays(ctx: WorkspaceScope, days: readonly RunDay[]): Promise<void> {
  await sql`
    insert into run_days (account_id, workspace_id, day, succeeded, failed)
    select ${ctx.account.id}, ${ctx.workspace.id}, d.day, d.succeeded, d.failed
      from jsonb_to_recordset(${JSON.stringify(days)}::jsonb) as d(day date, succeeded int, failed int)
     where d.day < ((now() - interval '1 day') at time zone 'UTC')::date
    on conflict do nothing`.execute(ctx.db)
}

/** A failure counts until the block runs again. */
export async function findLastFailures(ctx: WorkspaceScope, most: number) {
  const at = sql<Date>`coalesce(task_runs.finished_at, task_runs.due_at)`
  return await scoped(ctx, 'task_runs')
    .innerJoin('task_blocks', 'task_blocks.id', 'task_runs.block_id')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .select(['task_runs.trellis_code as task_run_trellis_code', 'task_blocks.trellis_code as task_block_trellis_code'])
    .select(['task_blocks.name as block_name', 'dataflows.trellis_code as dataflow_trellis_code'])
    .select(['dataflows.name as dataflow_name', sql<string | null>`task_runs.problem ->> 'message'`.as('message')])
    .select(at.as('at'))
    .where('task_runs.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .where(sql<boolean>`task_runs.status in ('FAILED', 'EXCEPTION') and not task_runs.is_shadow`)
    .where(
      sql<boolean>`not exists (select from task_runs later
        where later.block_id = task_runs.block_id and later.id > task_runs.id and not later.is_shadow)`,
    )
    .orderBy(at, 'desc')
    .limit(most)
    .execute()
}
