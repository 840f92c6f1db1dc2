import type { ModelMessage } from '@trellis/assistant/model/model-port'
import { openModel } from '@trellis/assistant/model/open-model'
import { transaction } from '@trellis/control-db/database'
import { type DescribedTable, readTables } from '@trellis/workspace-db/catalogue/read-tables'
import type { WorkspaceCtx } from '../../platform/ctx.ts'
import { assertCreditsFor, spendCredits } from '../billing/credits.service.ts'
import { findContextsOfProject } from './contexts.repository.ts'
import { sumReservedCredits } from './conversations.repository.ts'
import { findModel, toModelFetch, toModelProblem } from './model/model-settings.ts'
import { findProjectTables } from '../ai-projects/projects.service.ts'
import { withProjectSession } from './tools/project-session.service.ts'

const MAX_OUTPUT_TOKENS = 8000
const MAX_ANSWER_CHARACTERS = 400_000

interface ProjectModel {
  ask(system: string, messages: readonly ModelMessage[]): Promise<string>
  /** Call in the transaction that saves the result, so that a failure costs nothing. */
  spend(ctx: WorkspaceCtx, reference: string): Promise<void>
}

export async function openProjectModel(ctx: WorkspaceCtx, timeoutMs: number): Promise<ProjectModel | undefined> {
  const model = await findModel(ctx)
  if (!model) return undefined
  const amount = model.creditsPerAnswer
  if (amount > 0) {
    const countReserved = async () => await sumReservedCredits(ctx)
    await transaction(ctx, (ctx) => assertCreditsFor(ctx, { accountId: ctx.account.id, amount, countReserved }))
  }
  const port = openModel(model.settings, toModelFetch(ctx))
  const signal = AbortSignal.any([ctx.http.signal, AbortSignal.timeout(timeoutMs)])
  return {
    ask: async (system, messages) => {
      let text = ''
      try {
        const request = { system, messages, tools: [], maxOutputTokens: MAX_OUTPUT_TOKENS }
        for await (const event of port.stream(request, signal)) {
          if (event.kind === 'text') text += event.text
          if (text.length > MAX_ANSWER_CHARACTERS) break
        }
      } catch (error) {
        throw toModelProblem(error, signal)
      }
      return text
    },
    spend: async (ctx, reference) => {
      if (amount === 0) return
      const payer = { accountId: ctx.account.id, workspaceId: ctx.workspace.id, profileId: ctx.actor.profileId }
      await spendCredits(ctx, { ...payer, amount, reason: 'spark', reference })
    },
  }
}

export interface ProjectDescription {
  readonly databases: readonly { readonly integrationCode: string; readonly tables: readonly DescribedTable[] }[]
  readonly texts: readonly string[]
}

export async function describeProject(ctx: WorkspaceCtx, projectId: number): Promise<ProjectDescription> {
  const all = await findProjectTables(ctx, projectId)
  const databases: { integrationCode: string; tables: readonly DescribedTable[] }[] = []
  for (const integrationCode of new Set(all.map((table) => table.integration_code))) {
    const chosen = all.filter((table) => table.integration_code === integrationCode)
    const addresses = chosen.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
    const place = { integrationCode, tables: chosen, signal: ctx.http.signal }
    const tables = await withProjectSession(ctx, place, ({ session }) => readTables(session, addresses))
    databases.push({ integrationCode, tables })
  }
  const contexts = await findContextsOfProject(ctx, projectId)
  return { databases, texts: contexts.map(({ name, text, sql }) => `${name}: ${sql ?? text}`) }
}
