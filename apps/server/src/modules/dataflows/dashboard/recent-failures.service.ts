import { allows } from '@trellis/contract/core/permissions'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { type Failure, findFailures } from './dashboard.repository.ts'

export async function listFailuresSince(ctx: WorkspaceCtx, since: Date, limit: number): Promise<Failure[]> {
  const callerRoles = { accountRole: ctx.account.role, workspaceRole: ctx.workspace.role }
  if (!allows('dataflows:read', callerRoles)) return []
  return await findFailures(ctx, limit, since)
}
