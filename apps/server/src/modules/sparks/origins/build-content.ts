import type { SparkOrigin } from '@trellis/contract/sparks/sparks.schemas'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import type { BuiltContent, Project } from './built-content.ts'
import { buildFromAnswer } from './from-answer.ts'
import { buildFromPrompt } from './from-prompt.ts'
import { buildFromQuery } from './from-query.ts'
import { buildFromTemplate } from './from-template.ts'

export async function buildContent(ctx: WorkspaceCtx, project: Project, origin: SparkOrigin): Promise<BuiltContent> {
  switch (origin.kind) {
    case 'content':
      return { content: origin.content }
    case 'query':
      return { content: buildFromQuery(origin) }
    case 'template':
      return { content: await buildFromTemplate(ctx, project, origin) }
    case 'answer':
      return { content: await buildFromAnswer(ctx, origin) }
    case 'prompt':
      return await buildFromPrompt(ctx, project, origin.prompt)
  }
}
