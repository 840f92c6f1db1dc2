import type * as schemas from '@trellis/contract/ai/ai.schemas'
import { transaction } from '@trellis/control-db/database'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { generateTrellisCode } from '../../platform/trellis-code.ts'
import { createBusinessContext } from './contexts.ts'
import { addText } from './documents/documents.ts'
import { insertAiProject } from '../ai-projects/projects.service.ts'
import { updateAiProjectTables } from '../ai-projects/projects.service.ts'

export interface SampleProject {
  readonly name: string
  readonly description: string
  readonly tables: readonly { readonly schema_name: string; readonly table_name: string }[]
  readonly contexts: readonly Pick<schemas.CreateBusinessContextRequest, 'kind' | 'name' | 'text' | 'sql'>[]
  readonly documents: readonly { readonly name: string; readonly text: string }[]
}

export async function createSampleProject(
  ctx: WorkspaceCtx,
  integrationCode: string,
  { name, description, tables, contexts, documents }: SampleProject,
): Promise<void> {
  await transaction(ctx, async (ctx) => {
    const project_trellis_code = generateTrellisCode()
    const project = { trellis_code: project_trellis_code, name, description, created_by: ctx.actor.profileId }
    if (!(await insertAiProject(ctx, project))) return
    const place = { project_trellis_code, integration_trellis_code: integrationCode }
    await updateAiProjectTables(ctx, place, { tables: [...tables] })
    for (const context of contexts) await createBusinessContext(ctx, { ...context, project_trellis_code })
    for (const document of documents) await addText(ctx, { ...document, project_trellis_code })
  })
}
