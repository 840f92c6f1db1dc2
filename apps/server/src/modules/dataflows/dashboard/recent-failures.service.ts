import { allows } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type Failure, findFailures } from './dashboard.repository.ts'

export async function listFailuresSince(ctx: WorkspaceCtx, since: Date, most: number): Promise<Failure[]> {
  const standing = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (!allows('dataflows:read', standing)) return []
  return await findFailures(ctx, most, since)
}
