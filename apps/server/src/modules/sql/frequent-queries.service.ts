import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type Frequency, type FrequentQuery, findFrequentQueries } from './frequent-queries.repository.ts'

export type { FrequentQuery }

export async function listFrequentQueries(ctx: WorkspaceCtx, frequency: Frequency): Promise<FrequentQuery[]> {
  const isAdmin = ctx.workspace.role === 'workspace_admin'
  return await findFrequentQueries(ctx, isAdmin ? undefined : ctx.actor.profileId, frequency)
}
