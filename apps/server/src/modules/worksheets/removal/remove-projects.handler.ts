import { transaction } from '@trellis/control-db/database'
import type { SystemCtx } from '../../../platform/ctx.ts'
import { writeAudit } from '../../audit/audit.service.ts'
import { removeProjectsDeletedBefore } from './removal.repository.ts'

const KEPT_DAYS = 7
const BATCH = 20

/** In small batches, since a project has thousands of rows. */
export async function handleRemoveDeletedProjects(ctx: SystemCtx): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - KEPT_DAYS * 24 * 3600_000)
  while ((await removeSome(ctx, before)) === BATCH);
}

async function removeSome(ctx: SystemCtx, before: Date): Promise<number> {
  return await transaction(ctx, async (scope) => {
    const removedProjects = await removeProjectsDeletedBefore(scope, before, BATCH)
    for (const { trellis_code, name, account_id, workspace_id } of removedProjects) {
      await writeAudit(scope, {
        action: 'projectRemoved',
        outcome: 'done',
        accountId: account_id,
        workspaceId: workspace_id,
        detail: { project: name, code: trellis_code, why: `It was deleted ${KEPT_DAYS} days ago` },
      })
    }
    return removedProjects.length
  })
}
