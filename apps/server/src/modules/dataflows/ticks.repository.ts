import { deleteScoped, scoped, updateScoped } from '@trellis/control-db/scoped'
import { sql } from 'kysely'
import type { WorkspaceScope } from './folders.repository.ts'

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

/** Events that still wait belong to the cards of the new trigger; those for something it no longer has are dropped. */
export async function settleEvents(
  ctx: WorkspaceScope,
  blockId: number,
  { cards, reason }: { cards: Cards; reason: string },
): Promise<void> {
  const given = JSON.stringify([...cards.upstream].map(([block, card]) => ({ block, card })))
  const card = sql<string | null>`case when source_run_id is null then ${cards.schedule}::text else (
    select c.card from task_runs r join jsonb_to_recordset(${given}::jsonb) as c(block bigint, card text)
      on c.block = r.block_id where r.id = source_run_id) end`
  await updateScoped(ctx, 'trigger_events')
    .set({
      action_id: sql<string>`coalesce(${card}, action_id)` as never,
      dropped: sql<string>`case when ${card} is null then ${reason} end` as never,
    })
    .where('block_id', '=', blockId)
    .where('run_id', 'is', null)
    .where('dropped', 'is', null)
    .execute()
}

const blockIds = (ctx: WorkspaceScope, dataflowId: number) =>
  scoped(ctx, 'task_blocks').select('id').where('dataflow_id', '=', dataflowId)

export async function forgetPlannedTicksOf(ctx: WorkspaceScope, blockId: number): Promise<void> {
  await deleteScoped(ctx, 'schedule_ticks').where('outcome', 'is', null).where('block_id', '=', blockId).execute()
}
