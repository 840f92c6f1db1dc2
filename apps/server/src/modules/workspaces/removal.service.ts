import { transaction } from '@trellis/control-db/database'
import { removeWorkspaceDatabase } from '@trellis/workspace-db/remove'
import type { SystemCtx } from '../../platform/ctx.ts'
import { writeAudit } from '../audit/audit.service.ts'
import { deleteWorkspaceExports } from '../explorer/export-removal.service.ts'
import { deleteWorkspaceUploads } from '../uploads/uploads.service.ts'
import { GRACE_DAYS } from './grace.ts'
import { deleteWorkspaceRow, listWorkspaceIds, startWorkspaceRemoval } from './removal.repository.ts'

/** The row goes last: an interrupted removal is found again, and every step is idempotent. */
export async function removeWorkspace(ctx: SystemCtx, id: number): Promise<void> {
  const workspace = await startWorkspaceRemoval(ctx, id, GRACE_DAYS)
  if (!workspace) return
  if (workspace.database_key) {
    const cluster = await ctx.ports.cluster.openById(ctx, workspace.cluster_id)
    await removeWorkspaceDatabase(cluster, { key: workspace.database_key })
  }
  await deleteWorkspaceExports(ctx, id)
  await deleteWorkspaceUploads(ctx, id)
  await ctx.ports.secrets.shredScope(ctx, `workspace:${id}`)
  await transaction(ctx, async (ctx) => {
    if (!(await deleteWorkspaceRow(ctx, id)) || workspace.state === 'failed') return
    await writeAudit(ctx, {
      action: 'workspaceRemoved',
      outcome: 'done',
      accountId: workspace.account_id,
      workspaceId: id,
      detail: { name: workspace.name, workspace: workspace.trellis_code },
      requestId: ctx.requestId,
    })
  })
}

export async function removeAllWorkspaces(ctx: SystemCtx, accountId: number): Promise<void> {
  for (const id of await listWorkspaceIds(ctx, accountId)) await removeWorkspace(ctx, id)
}
