import type { OverlapPolicy, RunStatus } from '@trellis/contract/dataflows/dataflow-words'
import type { TriggerForm } from '@trellis/contract/dataflows/triggers'
import type { TickOutcome } from '@trellis/dataflow-engine/policies/tick-outcome'
import { sql } from 'kysely'
import type { WorkspaceScope } from '../runs.repository.ts'

export interface TriggerRow {
  id: number
  code: string
  name: string
  overlap: OverlapPolicy
  form: TriggerForm
  published_at: Date | null
  last_status: RunStatus | null
  last_at: Date | null
  usual_ms: number | null
}

export async function findTriggers(scope: WorkspaceScope, dataflowId: number): Promise<TriggerRow[]> {
  const { rows } = await sql<TriggerRow>`
    select b.id, b.trellis_code as code, b.name, f.overlap, coalesce(v.settings, b.settings)->'trigger' as form, v.published_at,
           r.status as last_status, coalesce(r.finished_at, r.started_at, r.due_at) as last_at, u.usual_ms
      from task_blocks b join dataflows f on f.id = b.dataflow_id
      left join task_block_versions v on v.block_id = b.id and v.version = b.live_version
      left join lateral (select status, finished_at, started_at, due_at from task_runs
                          where block_id = b.id and not is_shadow order by id desc limit 1) as r on true
      left join lateral (select percentile_cont(0.5) within group
                                (order by extract(epoch from finished_at - started_at) * 1000)::float8 as usual_ms
                           from (select finished_at, started_at from task_runs
                                  where block_id = b.id and status = 'SUCCESS' and not is_shadow order by id desc limit 20) as latest) as u on true
     where b.account_id = ${scope.account.id} and b.workspace_id = ${scope.workspace.id} and b.dataflow_id = ${dataflowId}
       and b.deleted_at is null
     order by b.id`.execute(scope.db)
  return rows
}

export interface UnusedRow {
  id: number
  happened_at: Date
  source_code: string | null
}

export async function findUnused(scope: WorkspaceScope, blockId: number): Promise<UnusedRow[]> {
  const { rows } = await sql<UnusedRow>`
    select e.id, e.happened_at, u.trellis_code as source_code from trigger_events e
      left join task_runs s on s.id = e.source_run_id left join task_blocks u on u.id = s.block_id
     where e.account_id = ${scope.account.id} and e.block_id = ${blockId} and e.run_id is null and e.dropped is null
     order by e.id limit 1000`.execute(scope.db)
  return rows
}

export interface LastTickRow {
  nominal_at: Date
  outcome: TickOutcome
  run_code: string | null
}

export async function findLastTick(scope: WorkspaceScope, blockId: number): Promise<LastTickRow | undefined> {
  const { rows } = await sql<LastTickRow>`
    select t.nominal_at, t.outcome, r.trellis_code as run_code
      from schedule_ticks t left join task_runs r on r.id = t.run_id
     where t.account_id = ${scope.account.id} and t.block_id = ${blockId} and t.outcome is not null
     order by t.nominal_at desc limit 1`.execute(scope.db)
  return rows[0]
}

export async function findLastFiring(scope: WorkspaceScope, blockId: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date }>`
    select due_at as at from task_runs
     where account_id = ${scope.account.id} and block_id = ${blockId} and started_by in ('schedule', 'activity')
     order by id desc limit 1`.execute(scope.db)
  return rows[0]?.at
}
