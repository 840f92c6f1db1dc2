import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { SourceDataModel } from '@trellis/contract/integrations/integrations.schemas'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { validateQuery } from '../../integrations/canvas-sources.service.ts'
import { readSourceDataModel } from '../../integrations/source-preview.service.ts'
import { findBlock } from '../blocks.repository.ts'

export async function getSourceDataModel(ctx: WorkspaceCtx, code: string, subtask: string): Promise<SourceDataModel> {
  const sourceSettings = await findSourceSettings(ctx, code)
  if (!sourceSettings) return await readSourceDataModel(ctx, { integrationCode: code, subtask })
  const query = sourceSettings.subtasks.find(({ name }) => name === subtask)?.query
  if (!query) throw new AppError('not_found', 'This block has no such subtask.')
  return await readSourceDataModel(ctx, { integrationCode: getConnectionCode(sourceSettings), subtask, query })
}

export async function validateSourceQuery(
  ctx: WorkspaceCtx,
  code: string,
  query: string,
): Promise<{ did_succeed: boolean; message: string }> {
  const sourceSettings = await findSourceSettings(ctx, code)
  return await validateQuery(ctx, sourceSettings ? getConnectionCode(sourceSettings) : code, query)
}

async function findSourceSettings(ctx: WorkspaceCtx, code: string): Promise<SourceSettings | undefined> {
  const block = await findBlock(ctx, code)
  return block?.kind === 'Source' ? (block.settings as SourceSettings) : undefined
}

function getConnectionCode({ integration_trellis_code: code }: SourceSettings): string {
  if (code === null) throw new AppError('integration_incomplete', 'Choose a connection for this block first.')
  return code
}
