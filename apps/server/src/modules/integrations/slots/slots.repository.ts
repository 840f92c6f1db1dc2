import type { AnyDb } from '@trellis/control-db/database'
import { sql } from 'kysely'

type WithDb = { readonly db: AnyDb }

export interface SlotOwner {
  readonly accountId: number
  readonly workspace: { readonly id: number; readonly code: string }
  readonly blockCode: string
  readonly subtask: string
  readonly integrationCode: string
  readonly slot: string
}

/** Recorded before it is created: an unknown slot would retain the source's WAL forever. */
export async function recordSlot({ db }: WithDb, owner: SlotOwner): Promise<void> {
  await sql`
    insert into change_slots (account_id, workspace_id, block_code, subtask, integration_code, slot_name)
    values (${owner.accountId}, ${owner.workspace.id}, ${owner.blockCode}, ${owner.subtask}, ${owner.integrationCode}, ${owner.slot})
    on conflict (integration_code, slot_name) do update set dropped_because = null`.execute(db)
}

export interface WatchedSlot extends SlotOwner {
  readonly id: number
  readonly isLive: boolean
  readonly isDropped: boolean
}

export async function findSlots({ db }: WithDb, integrationCode: string | null = null): Promise<WatchedSlot[]> {
  const { rows } = await sql<{
    id: number
    account_id: number
    workspace_id: number
    workspace_code: string
    block_code: string
    subtask: string
    integration_code: string
    slot_name: string
    is_live: boolean
    is_dropped: boolean
  }>`
    select s.id, s.account_id, s.workspace_id, w.trellis_code as workspace_code, s.block_code, s.subtask, s.integration_code, s.slot_name,
           s.dropped_because is not null as is_dropped,
           w.deleted_at is null and exists (
             select from task_blocks b join dataflows f on f.id = b.dataflow_id
               join task_block_versions v on v.block_id = b.id and v.version = b.live_version
              where b.trellis_code = s.block_code and b.deleted_at is null and f.deleted_at is null
                and v.settings ->> 'integration_trellis_code' = s.integration_code
                and exists (select from json_array_elements(v.settings -> 'subtasks') t
                             where t ->> 'name' = s.subtask and t -> 'query' -> 'query' ->> 'kind' = 'changes')) as is_live
      from change_slots s join workspaces w on w.id = s.workspace_id
     where ${integrationCode}::text is null or s.integration_code = ${integrationCode} order by s.integration_code, s.id`.execute(
    db,
  )
  return rows.map((row) => ({
    id: row.id,
    accountId: row.account_id,
    workspace: { id: row.workspace_id, code: row.workspace_code },
    blockCode: row.block_code,
    subtask: row.subtask,
    integrationCode: row.integration_code,
    slot: row.slot_name,
    isLive: row.is_live,
    isDropped: row.is_dropped,
  }))
}

export async function deleteSlotRow({ db }: WithDb, id: number): Promise<void> {
  await sql`delete from change_slots where id = ${id}`.execute(db)
}

export async function updateSlot(
  { db }: WithDb,
  id: number,
  { keptBytes, droppedBecause }: { keptBytes: number | null; droppedBecause: string | null },
): Promise<void> {
  await sql`update change_slots set kept_bytes = ${keptBytes}, checked_at = clock_timestamp(),
              dropped_because = coalesce(${droppedBecause}, dropped_because) where id = ${id}`.execute(db)
}
