import type { Db } from '@trellis/control-db/database'
import { LEASE_MS } from '@trellis/dataflow-engine/runs/lease'
import { sql } from 'kysely'
import { WITHOUT_SYNC_COMMIT } from './finish.repository.ts'

type WithDb = { readonly db: Db }

export interface HeartbeatUpdate {
  readonly id: number
  readonly epoch: number
  readonly counters: Record<string, number>
  readonly has_progressed: boolean
}

/**
 * Renews leases and saves progress. Runs missing in the result are lost. Runs of deleted workspaces are cancelled, as
 * they could run for as long as the block allows.
 */
export async function saveHeartbeats(
  { db }: WithDb,
  updates: readonly HeartbeatUpdate[],
): Promise<Map<number, { isCancelled: boolean }>> {
  if (updates.length === 0) return new Map()
  const { rows } = await sql<{ id: number; is_cancel_wanted: boolean }>`
    with beats as (
      select * from jsonb_to_recordset(${JSON.stringify(updates.toSorted((a, b) => a.id - b.id))}::jsonb)
          as b(id bigint, epoch bigint, counters jsonb, has_progressed boolean)),
    beaten as (
      update task_runs r set lease_until = clock_timestamp() + ${LEASE_MS} * interval '1 millisecond', counters = b.counters
        from beats b
       where r.id = b.id and r.epoch = b.epoch
         and r.status in ('SYSTEM_DEQUEUED', 'PROVISIONING', 'INITIALIZING', 'RUNNING')
      returning r.id, r.account_id, r.workspace_id, r.attempt, r.dataflow_id, r.is_cancel_wanted, b.has_progressed),
    progressed as (
      update task_run_attempts a set has_progressed = true from beaten
       where a.run_id = beaten.id and a.number = beaten.attempt and beaten.has_progressed and not a.has_progressed),
    notified as (select pg_notify('trellis_runs', 'flow:' || dataflow_id) from beaten group by dataflow_id)
    select beaten.id, (${WITHOUT_SYNC_COMMIT}),
           is_cancel_wanted or w.deleted_at is not null or a.deleted_at is not null as is_cancel_wanted
      from beaten join workspaces w on w.id = beaten.workspace_id join accounts a on a.id = beaten.account_id,
           (select count(*) from notified) as counted`.execute(db)
  return new Map(rows.map(({ id, is_cancel_wanted }) => [id, { isCancelled: is_cancel_wanted }]))
}
