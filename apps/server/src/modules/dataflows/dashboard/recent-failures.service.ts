import { allows } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type Failure, findFailures } from './dashboard.repository.ts'

/** Runs that failed since a time, the latest first; none for somebody who may not see dataflows. */
export async function listFailuresSince(ctx: WorkspaceCtx, since: Date, most: number): Promise<Failure[]> {
  const standing = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (!allows('dataflows:read', standing)) return []
  return await findFailures(ctx, most, since)
}
