import type { SystemCtx } from '../../platform/ctx.ts'
import { GRACE_DAYS } from './grace.ts'
import { listGoneWorkspaces } from './removal.repository.ts'
import { removeWorkspace } from './removal.service.ts'

export async function handleRemoveGoneWorkspaces(ctx: SystemCtx): Promise<void> {
  for (const id of await listGoneWorkspaces(ctx, GRACE_DAYS)) {
    await removeWorkspace(ctx, id).catch((error: unknown) => {
      ctx.log.error({ err: error, workspace: id }, 'A deleted workspace could not be removed; it is tried again.')
    })
  }
}
