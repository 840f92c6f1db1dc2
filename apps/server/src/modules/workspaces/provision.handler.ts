import type { JobRun } from '@trellis/jobs/attempt'
import { generateWorkspaceKey } from '@trellis/workspace-db/names'
import { provisionWorkspaceDatabase } from '@trellis/workspace-db/provision'
import { placeWorkspace } from '../../platform/clusters/place-workspace.ts'
import { credentialsPlace } from '../../platform/workspace-database/open-database.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { findForProvisioning, markFailed, markOnline } from './workspaces.repository.ts'

/** Key and cluster are stored first, so that a retry finds and finishes the same database. */
export async function handleProvision(ctx: SystemCtx, payload: { workspace_id: number }, run: JobRun): Promise<void> {
  try {
    await provision(ctx, payload.workspace_id)
  } catch (error) {
    if (run.isLastAttempt) await markFailed(ctx, payload.workspace_id)
    throw error
  }
}

async function provision(ctx: SystemCtx, id: number): Promise<void> {
  await placeWorkspace(ctx, id, generateWorkspaceKey())
  const workspace = await findForProvisioning(ctx, id)
  if (!workspace?.database_key || workspace.state !== 'provisioning') return
  const { credentials } = await provisionWorkspaceDatabase(
    await ctx.ports.cluster.openById(ctx, workspace.cluster_id),
    {
      key: workspace.database_key,
    },
  )
  await markOnline(ctx, id, await ctx.ports.secrets.seal(ctx, credentialsPlace(id), JSON.stringify(credentials)))
}
