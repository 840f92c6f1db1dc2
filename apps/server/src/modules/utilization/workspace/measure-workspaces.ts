import { readTableSizes } from '@trellis/workspace-db/catalogue/table-sizes'
import type { SystemCtx } from '../../../platform/ctx.ts'
import type { UnmeasuredDatabase } from '../utilization.repository.ts'
import { findSizedWorkspaces, pruneUsage, writeTableSizes, writeUsageHours } from './measurements.repository.ts'

const HOUR_MS = 3600_000

export async function measureWorkspaces(ctx: SystemCtx, workspaces: readonly UnmeasuredDatabase[]): Promise<void> {
  const now = ctx.clock.now()
  const hour = new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS)
  await writeUsageHours(ctx, hour)
  const sized = await findSizedWorkspaces(ctx, hour)
  for (const { id, account_id, database_key, cluster_id } of workspaces) {
    if (sized.has(id)) continue
    try {
      const cluster = await ctx.ports.cluster.openById(ctx, cluster_id)
      await writeTableSizes(ctx, { account_id, workspace_id: id, hour }, await readTableSizes(cluster, database_key))
    } catch (error) {
      ctx.log.warn({ workspaceId: id, err: error }, 'The sizes of its tables could not be measured.')
    }
  }
  await pruneUsage(ctx, now)
}
