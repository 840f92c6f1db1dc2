import { type PlanUsage, getPlanLimits } from '@trellis/contract/billing/plans'
import type { AnyDb } from '@trellis/control-db/database'
import type { Cluster } from '@trellis/workspace-db/cluster'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import type { BaseCtx, ProfileCtx } from '../../platform/ctx.ts'
import { type UnmeasuredDatabase, findLimitsByProfile, readCounts, writeSizes } from './utilization.repository.ts'

const FRESH_MS = 5 * 60_000

export type MeasuringCtx = BaseCtx & { readonly db: AnyDb }

/** A cluster that is away must not keep the others from being measured. */
export async function measureStorage(ctx: MeasuringCtx, workspaces: readonly UnmeasuredDatabase[]): Promise<void> {
  const failed: unknown[] = []
  for (const [id, ownUnmeasuredDatabases] of Map.groupBy(workspaces, (workspace) => workspace.cluster_id)) {
    try {
      await measureOnCluster(ctx, await ctx.ports.cluster.openById(ctx, id), ownUnmeasuredDatabases)
    } catch (error) {
      failed.push(error)
    }
  }
  if (failed.length > 0) throw failed[0]
}

async function measureOnCluster(
  ctx: MeasuringCtx,
  cluster: Cluster,
  workspaces: readonly UnmeasuredDatabase[],
): Promise<void> {
  const byName = new Map(
    workspaces.map((workspace) => [toWorkspaceNames(workspace.database_key).database, workspace.id]),
  )
  const { rows } = await cluster.admin.query<{ name: string; bytes: string }>(
    'select datname as name, pg_database_size(oid) as bytes from pg_database where datname = any($1)',
    [[...byName.keys()]],
  )
  const sizes = rows.flatMap(({ name, bytes }) => {
    const id = byName.get(name)
    return id === undefined ? [] : [{ id, bytes: Number(bytes) }]
  })
  await writeSizes(ctx, sizes, ctx.clock.now())
}

/** At most five minutes old, unless the cluster is unreachable. */
export async function readPlanUsage(ctx: MeasuringCtx, accountId: number): Promise<PlanUsage> {
  const now = ctx.clock.now()
  const times = { now, since: new Date(now.getTime() - FRESH_MS) }
  const { unmeasured, ...counts } = await readCounts(ctx, accountId, times)
  if (unmeasured.length === 0) return counts
  try {
    await measureStorage(ctx, unmeasured)
  } catch (error) {
    ctx.log.warn({ accountId, err: error }, 'The storage in use could not be measured; the last figure is used.')
    return counts
  }
  const { seats, workspaces, storage } = await readCounts(ctx, accountId, times)
  return { seats, workspaces, storage }
}

export async function listAccountLimits(ctx: ProfileCtx) {
  const rows = await findLimitsByProfile(ctx, ctx.actor.profileId)
  return rows.map((row) => ({
    account_trellis_code: row.trellis_code,
    workspaces: row.workspaces,
    workspaces_limit: getPlanLimits(row.account_type).workspaces,
  }))
}
