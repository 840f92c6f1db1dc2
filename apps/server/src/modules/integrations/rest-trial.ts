import type { RestTrialResult } from '@trellis/contract/integrations/integrations.schemas'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { NOT_THERE } from './platforms.ts'

export async function tryRestSource(_ctx: WorkspaceCtx): Promise<RestTrialResult> {
  throw new AppError('not_found', NOT_THERE)
}
