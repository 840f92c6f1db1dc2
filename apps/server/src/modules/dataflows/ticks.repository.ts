import { deleteScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

export async function discardPendingTicks(ctx: WorkspaceScope, blockId: number, now: Date): Promise<void> {
  await updateScoped(ctx, 'schedule_ticks')
    .set({ outcome: 'changed', claimed_at: now })
    .where('block_id', '=', blockId)
    .where('outcome', 'is', null)
    .execute()
}

export async function deleteUnclaimedTicks(ctx: WorkspaceScope, dataflowId: number): Promise<void> {
  await deleteScoped(ctx, 'schedule_ticks')
    .where('outcome', 'is', null)
    .where('block_id', 'in', selectBlockIds(ctx, dataflowId))
    .execute()
}

export async function planTicksFrom(ctx: WorkspaceScope, dataflowId: number, now: Date): Promise<void> {
  await updateScoped(ctx, 'task_blocks').set({ ticks_until: now }).where('dataflow_id', '=', dataflowId).execute()
}

/** Ids of a trigger's cards: of its schedule, and by the id of the upstream block. */
export interface TriggerCards {
  readonly schedule: string | null
  readonly upstream: ReadonlyMap<number, string>
}

/**
 * After a block's trigger has changed: assigns its events that have not started a run to the cards of the new trigger, by
 * their cause (schedule or upstream block). Events whose cause has no card any more are dropped with `reason`.
 */
export async function moveWaitingEventsToCards(
  ctx: WorkspaceScope,
  cardsByBlock: ReadonlyMap<number, TriggerCards>,
  reason: string,
): Promise<void> {
  if (cardsByBlock.size === 0) return
  const entries = [...cardsByBlock]
  const schedules = JSON.stringify(entries.map(([waits, { schedule }]) => ({ waits, card: schedule })))
  const upstream = JSON.stringify(
    entries.flatMap(([waits, cards]) =>
      [...cards.upstream].map(([upstreamId, card]) => ({ waits, block: upstreamId, card })),
    ),
  )
  const newCardId = sql<string | null>`case when source_run_id is null then (
      select c.card from jsonb_to_recordset(${schedules}::jsonb) as c(waits bigint, card text)
       where c.waits = trigger_events.block_id)
    else (
      select c.card from task_runs r join jsonb_to_recordset(${upstream}::jsonb) as c(waits bigint, block bigint, card text)
        on c.block = r.block_id where r.id = source_run_id and c.waits = trigger_events.block_id) end`
  await updateScoped(ctx, 'trigger_events')
    .set({
      action_id: sql<string>`coalesce(${newCardId}, action_id)` as never,
      dropped: sql<string>`case when ${newCardId} is null then ${reason} end` as never,
    })
    .where('block_id', '=', anyOfIds([...cardsByBlock.keys()]))
    .where('run_id', 'is', null)
    .where('dropped', 'is', null)
    .execute()
}

const selectBlockIds = (ctx: WorkspaceScope, dataflowId: number) =>
  scoped(ctx, 'task_blocks').select('id').where('dataflow_id', '=', dataflowId)

const anyOfIds = (ids: readonly number[]) => sql<number>`any(${ids}::bigint[])`

export async function deletePlannedTicks(ctx: WorkspaceScope, ids: readonly number[]): Promise<void> {
  await deleteScoped(ctx, 'schedule_ticks').where('outcome', 'is', null).where('block_id', '=', anyOfIds(ids)).execute()
}
