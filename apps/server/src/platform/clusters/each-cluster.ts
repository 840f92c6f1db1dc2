import type { Cluster } from '@trellis/workspace-db/cluster'
import type { SystemCtx } from '../ctx.ts'
import { listClusters } from './clusters.repository.ts'

/** An unreachable cluster must not block the others; its error is thrown after them. */
export async function eachCluster(
  ctx: SystemCtx,
  work: (cluster: Cluster, clusterId: number) => Promise<void>,
): Promise<void> {
  const failed: unknown[] = []
  for (const { id, name } of await listClusters(ctx)) {
    try {
      await work(await ctx.ports.cluster.openById(ctx, id), id)
    } catch (error) {
      ctx.log.warn({ cluster: name, err: error }, 'a cluster of workspaces was left out')
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
}
