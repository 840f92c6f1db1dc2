import type { FormaValues } from '@trellis/contract/formas/forma'
import type { SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { previewSource } from '../source-preview.service.ts'

export const sampleSource = async (
  ctx: WorkspaceCtx,
  integrationCode: string,
  asked: { readonly values: FormaValues; readonly rows: number },
): Promise<SourcePreview> => await previewSource(ctx, integrationCode, asked)
