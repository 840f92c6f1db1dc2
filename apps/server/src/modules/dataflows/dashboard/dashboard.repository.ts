import { scoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { WorkspaceScope } from '../folders.repository.ts'
import type { Writer } from './table-freshness.ts'

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

/** The dataflows that come due next, by the due times that are planned. */
export async function findNextDue(
  ctx: WorkspaceScope,
  now: Date,
  most: number,
): Promise<{ dataflow_code: string; name: string; at: Date }[]> {
  return await scoped(ctx, 'schedule_ticks')
    .innerJoin('task_blocks', (join) =>
      join
        .onRef('task_blocks.id', '=', 'schedule_ticks.block_id')
        .onRef('task_blocks.live_version', '=', 'schedule_ticks.block_version'),
    )
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .select(['dataflows.trellis_code as dataflow_code', 'dataflows.name'])
    .select(({ fn }) => fn.min('schedule_ticks.nominal_at').as('at'))
    .where('dataflows.workspace_id', '=', ctx.workspace.id)
    .where('dataflows.deleted_at', 'is', null)
    .where('dataflows.is_paused', '=', false)
    .where('task_blocks.deleted_at', 'is', null)
    .where('schedule_ticks.outcome', 'is', null)
    .where('schedule_ticks.nominal_at', '>', now)
    .groupBy('dataflows.id')
    .orderBy('at')
    .limit(most)
    .execute()
}

export async function countRunsByDay(
  ctx: WorkspaceScope,
  since: string,
): Promise<{ day: string; succeeded: number; failed: number }[]> {
  return await scoped(ctx, 'task_runs')
    .select(sql<string>`(finished_at at time zone 'UTC')::date::text`.as('day'))
    .select(sql<number>`count(*) filter (where status = 'SUCCESS')`.as('succeeded'))
    .select(sql<number>`count(*) filter (where status in ('FAILED', 'EXCEPTION'))`.as('failed'))
    .where('workspace_id', '=', ctx.workspace.id)
    .where('is_shadow', '=', false)
    .where('finished_at', '>=', new Date(since))
    .groupBy(sql`(finished_at at time zone 'UTC')::date`)
    .execute()
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

const LOADS_READ = 7

export async function findWriters(ctx: WorkspaceScope): Promise<Writer[]> {
  // As JSON: the driver takes longer to read arrays of times than the database to find them.
  const loads = sql<string[] | null>`(select json_agg(load.finished_at order by load.id desc) from (
    select run.id, run.finished_at from task_runs run
    where run.block_id = task_blocks.id and run.status = 'SUCCESS' and not run.is_shadow
    order by run.id desc limit ${LOADS_READ}) load)`
  const rows = await scoped(ctx, 'task_blocks')
    .innerJoin('dataflows', 'dataflows.id', 'task_blocks.dataflow_id')
    .innerJoin('task_block_versions as live', (join) =>
      join.onRef('live.block_id', '=', 'task_blocks.id').onRef('live.version', '=', 'task_blocks.live_version'),
    )
    .select(['dataflows.trellis_code as dataflow_code', 'dataflows.name as dataflow_name', 'dataflows.is_paused'])
    .select(['live.written_schemas', 'live.written_tables', loads.as('loads')])
    .where('task_blocks.workspace_id', '=', ctx.workspace.id)
    .where('task_blocks.deleted_at', 'is', null)
    .where('dataflows.deleted_at', 'is', null)
    .execute()
  return rows.map(({ written_schemas, written_tables, loads: times, ...row }) => ({
    ...row,
    writes: written_tables.map((table_name, at) => ({ schema_name: written_schemas[at] ?? '', table_name })),
    loads: (times ?? []).map((time) => new Date(time)),
  }))
}
