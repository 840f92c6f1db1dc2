import { suggestStarterQuestions } from '@trellis/assistant/engine/starter-questions'
import { listPlaceholders } from '@trellis/assistant/verified/match-verified'
import type * as schemas from '@trellis/contract/ai/ai.schemas'
import { WorkspaceDbError } from '@trellis/workspace-db/errors'
import type * as z from 'zod/mini'
import { AppError } from '../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { type ContextRow, findContextsOfProject } from './contexts.repository.ts'
import { getProjectRow } from '../ai-projects/projects.service.ts'
import { findProjectTables } from '../ai-projects/projects.service.ts'
import { withProjectSession } from './tools/project-session.service.ts'
import { readCatalogue } from './tools/read-catalogue.ts'

const MAX_QUESTIONS = 5
const MAX_VERIFIED = 2
/** A slow connected database must not block the page. */
const CATALOGUE_TIMEOUT_MS = 5000

export async function listStarterQuestions(
  ctx: WorkspaceCtx,
  code: string,
): Promise<z.infer<typeof schemas.StarterQuestions>> {
  const { id } = await getProjectRow(ctx, code)
  const contexts = await findContextsOfProject(ctx, id)
  const verified = contexts
    .filter(
      ({ kind, name, problem }) =>
        kind === 'verified_question' && problem === null && listPlaceholders(name).length === 0,
    )
    .slice(0, MAX_VERIFIED)
    .map(({ name }) => name)
  const fitting = await suggest(ctx, id, contexts)
  return { questions: [...new Set([...verified, ...fitting])].slice(0, MAX_QUESTIONS) }
}

async function suggest(ctx: WorkspaceCtx, projectId: number, contexts: readonly ContextRow[]): Promise<string[]> {
  const tables = await findProjectTables(ctx, projectId)
  const integrationCode = tables[0]?.integration_code
  if (integrationCode === undefined) return []
  const chosen = tables.filter((table) => table.integration_code === integrationCode)
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(CATALOGUE_TIMEOUT_MS)])
  try {
    return await withProjectSession(ctx, { integrationCode, tables: chosen, signal }, async (openedProjectSession) => {
      const { engine } = await readCatalogue(ctx, openedProjectSession, { integrationCode, chosen, contexts })
      return suggestStarterQuestions(engine, ctx.clock.now())
    })
  } catch (error) {
    if (signal.aborted || error instanceof WorkspaceDbError || error instanceof AppError) return []
    throw error
  }
}
