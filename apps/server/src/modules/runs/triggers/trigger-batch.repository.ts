import type { MisfirePolicy, OverlapPolicy } from '@trellis/contract/dataflows/dataflow-words'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import type { Db } from '@trellis/control-db/database'
import { sql } from 'kysely'
import { CANCELLED_PROBLEM } from '../cancelled.ts'
import { SET_IDLE_TIMEOUT } from '../runner/idle-locks.repository.ts'

type WithDb = { readonly db: Db }

export interface LiveBlock {
  id: number
  account_id: number
  workspace_id: number
  dataflow_id: number
  code: string
  version: number
  form: TriggerForm
  published_at: Date
  ticks_until: Date | null
  overlap: OverlapPolicy
  misfire: MisfirePolicy
  is_paused: boolean
  integration_id: number | null
}

/** Fixed lock order, blocks before ticks, events and runs, avoids a deadlock between publish and scheduler. */
export async function lockBlocks(
  { db }: WithDb,
  ids: readonly number[],
  { canSkip }: { canSkip: boolean },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id, ${SET_IDLE_TIMEOUT} from task_blocks where id = any(${ids}::bigint[]) order by id
    for no key update ${canSkip ? sql`skip locked` : sql``}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Read after locking, to see a version published meanwhile. */
export async function readLiveBlocks({ db }: WithDb, ids: readonly number[]): Promise<LiveBlock[]> {
  const { rows } = await sql<LiveBlock>`
    select b.id, b.account_id, b.workspace_id, b.dataflow_id, b.trellis_code as code, b.live_version as version, b.ticks_until,
           v.settings->'trigger' as form, v.published_at, f.overlap, f.misfire, f.is_paused,
           (select i.id from integrations i where i.trellis_code = v.settings->>'integration_trellis_code'
               and i.workspace_id = b.workspace_id) as integration_id
      from task_blocks b
      join task_block_versions v on v.block_id = b.id and v.version = b.live_version
      join dataflows f on f.id = b.dataflow_id
      join workspaces w on w.id = b.workspace_id
      join accounts a on a.id = b.account_id
     where b.id = any(${ids}::bigint[]) and b.deleted_at is null and f.deleted_at is null and w.deleted_at is null
       and w.state = 'online' and a.deleted_at is null`.execute(db)
  return rows
}

export interface NewEvent {
  block_id: number
  account_id: number
  action_id: string
  tick_id: number | null
  source_run_id: number | null
  happened_at: Date
}

/** Idempotent. */
export async function insertEvents({ db }: WithDb, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    insert into trigger_events (block_id, account_id, action_id, tick_id, source_run_id, happened_at)
    select * from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
        as e(block_id bigint, account_id bigint, action_id text, tick_id bigint, source_run_id bigint, happened_at timestamptz)
    on conflict do nothing`.execute(db)
}

export interface EventRow {
  id: number
  block_id: number
  action_id: string
  tick_id: number | null
  happened_at: Date
  nominal_at: Date | null
  source_code: string | null
  source_run_id: number | null
  source_dataflow_id: number | null
  source_flow_run_id: number | null
}

export async function readUnusedEvents({ db }: WithDb, blockIds: readonly number[]): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select e.id, e.block_id, e.action_id, e.tick_id, e.happened_at, t.nominal_at, u.trellis_code as source_code,
           s.id as source_run_id, s.dataflow_id as source_dataflow_id, s.flow_run_id as source_flow_run_id
      from trigger_events e left join schedule_ticks t on t.id = e.tick_id
      left join task_runs s on s.id = e.source_run_id left join task_blocks u on u.id = s.block_id
     where e.block_id = any(${blockIds}::bigint[]) and e.run_id is null and e.dropped is null`.execute(db)
  return rows
}

export interface OpenRunRow {
  id: number
  block_id: number
  is_waiting: boolean
}

/** A waiting run can be replaced if a trigger started it and it was never attempted. */
export async function readOpenRuns({ db }: WithDb, blockIds: readonly number[]): Promise<OpenRunRow[]> {
  const { rows } = await sql<OpenRunRow>`
    select id, block_id, status = 'QUEUED' and attempt = 0 and started_by in ('schedule', 'activity') as is_waiting
      from task_runs
     where block_id = any(${blockIds}::bigint[]) and not request ? 'window' and not is_shadow
       and status in ('QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
     order by id`.execute(db)
  return rows
}

export interface FlowRunRow {
  flow_run_id: number | null
  flow_code: string
  cause: 'schedule' | 'event'
  cause_key: string | null
  cause_run_id: number | null
  flow_nominal_at: Date | null
}

export interface NewTriggeredRun {
  trellis_code: string
  account_id: number
  workspace_id: number
  dataflow_id: number
  block_id: number
  block_version: number
  started_by: 'schedule' | 'activity'
  nominal_at: Date | null
  due_at: Date
  integration_id: number | null
  flow: FlowRunRow
}

/** A waiting run that continues with newer events. */
export interface RestartedRun {
  run_id: number
  account_id: number
  workspace_id: number
  dataflow_id: number
  nominal_at: Date | null
  flow: FlowRunRow
}

export interface FoundFlowRun {
  id: number
  is_cancelled: boolean
}

/**
 * Created in key order, so that concurrent schedulers do not deadlock. Joined ones stay locked until the transaction
 * ends, so that a cancellation comes either before, and is seen, or after, and finds the run. By intended code.
 */
export async function ensureFlowRuns(
  { db }: WithDb,
  runs: readonly Pick<RestartedRun, 'account_id' | 'workspace_id' | 'dataflow_id' | 'flow'>[],
): Promise<Map<string, FoundFlowRun>> {
  if (runs.length === 0) return new Map()
  const flowRunRows = JSON.stringify(
    runs.map(({ account_id, workspace_id, dataflow_id, flow }, turn) => ({
      account_id,
      workspace_id,
      dataflow_id,
      ...flow,
      turn,
    })),
  )
  const { rows } = await sql<FoundFlowRun & { flow_code: string }>`
    with wanted as materialized (
      select * from jsonb_to_recordset(${flowRunRows}::jsonb)
          as r(account_id bigint, workspace_id bigint, dataflow_id bigint, flow_run_id bigint, flow_code text, cause text,
               cause_key text, cause_run_id bigint, flow_nominal_at timestamptz, turn int)),
    begun as (
      insert into flow_runs (account_id, workspace_id, dataflow_id, trellis_code, cause, cause_key, cause_run_id, nominal_at)
      select distinct on (dataflow_id, cause_key) account_id, workspace_id, dataflow_id, flow_code, cause, cause_key,
             cause_run_id, flow_nominal_at
        from wanted where flow_run_id is null order by dataflow_id, cause_key, turn
      on conflict (dataflow_id, cause_key) where cause_key is not null do update set cause_key = excluded.cause_key
      returning id, dataflow_id, cause_key, cancelled_at),
    joined as (
      select id, cancelled_at from flow_runs where id in (select flow_run_id from wanted) order by id for share)
    select w.flow_code, coalesce(j.id, b.id) as id, coalesce(j.cancelled_at, b.cancelled_at) is not null as is_cancelled
      from wanted w left join begun b on b.dataflow_id = w.dataflow_id and b.cause_key = w.cause_key
      left join joined j on j.id = w.flow_run_id`.execute(db)
  return new Map(rows.map(({ flow_code, ...flowRun }) => [flow_code, flowRun]))
}

type WithFlowRunId<T> = Omit<T, 'flow'> & { flow_run_id: number | null }

export async function insertTriggeredRuns(
  { db }: WithDb,
  runs: readonly (WithFlowRunId<NewTriggeredRun> & { is_cancelled: boolean })[],
): Promise<Map<string, number>> {
  if (runs.length === 0) return new Map()
  const { rows } = await sql<{ id: number; trellis_code: string }>`
    insert into task_runs (trellis_code, account_id, workspace_id, dataflow_id, block_id, block_version, started_by, nominal_at,
           due_at, integration_id, flow_run_id, status, finished_at, problem)
    select trellis_code, account_id, workspace_id, dataflow_id, block_id, block_version, started_by, nominal_at, due_at,
           integration_id, flow_run_id, case when is_cancelled then 'FAILED' else 'QUEUED' end,
           case when is_cancelled then clock_timestamp() end,
           case when is_cancelled then ${JSON.stringify(CANCELLED_PROBLEM)}::jsonb end
      from rows from (jsonb_to_recordset(${JSON.stringify(runs)}::jsonb)
          as (trellis_code text, account_id bigint, workspace_id bigint, dataflow_id bigint, block_id bigint, block_version int,
              started_by text, nominal_at timestamptz, due_at timestamptz, integration_id bigint, flow_run_id bigint,
              is_cancelled boolean)) with ordinality
     order by ordinality
    returning id, trellis_code`.execute(db)
  return new Map(rows.map(({ id, trellis_code }) => [trellis_code, id]))
}

export async function updateMovedRuns(
  { db }: WithDb,
  movedRuns: readonly WithFlowRunId<RestartedRun>[],
): Promise<void> {
  if (movedRuns.length === 0) return
  await sql`
    update task_runs r set nominal_at = m.nominal_at, flow_run_id = m.flow_run_id
      from jsonb_to_recordset(${JSON.stringify(movedRuns)}::jsonb) as m(run_id bigint, nominal_at timestamptz, flow_run_id bigint)
     where r.id = m.run_id`.execute(db)
}

export interface EventEnd {
  id: number
  run_id: number | null
  dropped: string | null
}

export async function endEvents({ db }: WithDb, ends: readonly EventEnd[]): Promise<void> {
  if (ends.length === 0) return
  await sql`
    update trigger_events e set run_id = d.run_id, dropped = d.dropped
      from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as d(id bigint, run_id bigint, dropped text)
     where e.id = d.id`.execute(db)
}

export interface TickEnd {
  id: number
  outcome: string
  run_id: number | null
}

export async function endTicks({ db }: WithDb, ends: readonly TickEnd[]): Promise<void> {
  if (ends.length === 0) return
  await sql`
    update schedule_ticks t set outcome = d.outcome, run_id = d.run_id, claimed_at = coalesce(t.claimed_at, clock_timestamp())
      from jsonb_to_recordset(${JSON.stringify(ends)}::jsonb) as d(id bigint, outcome text, run_id bigint)
     where t.id = d.id`.execute(db)
}

export async function readRunEvents(
  { db }: WithDb,
  runIds: readonly number[],
): Promise<{ id: number; tick_id: number | null; run_id: number }[]> {
  if (runIds.length === 0) return []
  const { rows } = await sql<{ id: number; tick_id: number | null; run_id: number }>`
    select id, tick_id, run_id from trigger_events where run_id = any(${runIds}::bigint[])`.execute(db)
  return rows
}

export async function findWaitingBlockIds({ db }: WithDb, upstreamId: number): Promise<number[]> {
  const { rows } = await sql<{ block_id: number }>`
    select block_id from live_waits where upstream_id = ${upstreamId}`.execute(db)
  return rows.map(({ block_id }) => block_id)
}
