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

/** Events that wait for something the trigger no longer has. */
export async function dropStaleEvents(
  ctx: WorkspaceScope,
  blockId: number,
  kept: { upstreamIds: readonly number[]; hasSchedule: boolean; reason: string },
): Promise<void> {
  await updateScoped(ctx, 'trigger_events')
    .set({ dropped: kept.reason })
    .where('block_id', '=', blockId)
    .where('run_id', 'is', null)
    .where('dropped', 'is', null)
    .where(
      sql<boolean>`case when source_run_id is null then ${!kept.hasSchedule}
        else not exists (select from task_runs r where r.id = source_run_id and r.block_id = any(${kept.upstreamIds}::bigint[])) end`,
    )
    .execute()
}

const blockIds = (ctx: WorkspaceScope, dataflowId: number) =>
  scoped(ctx, 'task_blocks').select('id').where('dataflow_id', '=', dataflowId)

export async function forgetPlannedTicksOf(ctx: WorkspaceScope, blockId: number): Promise<void> {
  await deleteScoped(ctx, 'schedule_ticks').where('outcome', 'is', null).where('block_id', '=', blockId).execute()
}
