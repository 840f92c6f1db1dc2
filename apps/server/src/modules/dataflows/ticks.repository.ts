import { deleteScoped, scoped, updateScoped, type WorkspaceScope } from '@trellis/control-db/scoped'
import { sql } from 'kysely'

/** Due times planned from an older version count no more; the planner begins anew. */
export async function settleTicks(ctx: WorkspaceScope, blockId: number, now: Date): Promise<void> {
  await updateScoped(ctx, 'schedule_ticks')
    .set({ outcome: 'changed', claimed_at: now })
    .where('block_id', '=', blockId)
    .where('outcome', 'is', null)
    .execute()
}

/** Planned due times of a dataflow that stops for a while; they are planned again when it goes on. */
export async function forgetPlannedTicks(ctx: WorkspaceScope, dataflowId: number): Promise<void> {
  await deleteScoped(ctx, 'schedule_ticks')
    .where('outcome', 'is', null)
    .where('block_id', 'in', blockIds(ctx, dataflowId))
    .execute()
}

/** Nothing that came due before this moment is made up for. */
export async function planTicksFrom(ctx: WorkspaceScope, dataflowId: number, now: Date): Promise<void> {
  await updateScoped(ctx, 'task_blocks').set({ ticks_until: now }).where('dataflow_id', '=', dataflowId).execute()
}

/** Cards of the new trigger, by what they wait for. */
export interface Cards {
  /** Null where the trigger has no schedule. */
  readonly schedule: string | null
  /** The card of each block that is waited for. */
  readonly upstream: ReadonlyMap<number, string>
}

/** Events that still wait belong to the cards of the new triggers; those for something they no longer have are dropped. */
export async function settleEvents(
  ctx: WorkspaceScope,
  cardsByBlock: ReadonlyMap<number, Cards>,
  reason: string,
): Promise<void> {
  if (cardsByBlock.size === 0) return
  const all = [...cardsByBlock]
  const schedules = JSON.stringify(all.map(([waits, { schedule }]) => ({ waits, card: schedule })))
  const upstream = JSON.stringify(
    all.flatMap(([waits, cards]) => [...cards.upstream].map(([block, card]) => ({ waits, block, card }))),
  )
  const card = sql<string | null>`case when source_run_id is null then (
      select c.card from jsonb_to_recordset(${schedules}::jsonb) as c(waits bigint, card text)
       where c.waits = trigger_events.block_id)
    else (
      select c.card from task_runs r join jsonb_to_recordset(${upstream}::jsonb) as c(waits bigint, block bigint, card text)
        on c.block = r.block_id where r.id = source_run_id and c.waits = trigger_events.block_id) end`
  await updateScoped(ctx, 'trigger_events')
    .set({
      action_id: sql<string>`coalesce(${card}, action_id)` as never,
      dropped: sql<string>`case when ${card} is null then ${reason} end` as never,
    })
    .where('block_id', '=', any([...cardsByBlock.keys()]))
    .where('run_id', 'is', null)
    .where('dropped', 'is', null)
    .execute()
}

const blockIds = (ctx: WorkspaceScope, dataflowId: number) =>
  scoped(ctx, 'task_blocks').select('id').where('dataflow_id', '=', dataflowId)

const any = (ids: readonly number[]) => sql<number>`any(${ids}::bigint[])`

export async function deletePlannedTicks(ctx: WorkspaceScope, blockIds: readonly number[]): Promise<void> {
  await deleteScoped(ctx, 'schedule_ticks').where('outcome', 'is', null).where('block_id', '=', any(blockIds)).execute()
}
