import { openModel } from '@trellis/assistant/model/open-model'
import { toSafeMarkdown } from '@trellis/assistant/model/safe-markdown'
import { LOOP_LIMITS, type LoopEnd, type LoopTool, runToolLoop } from '@trellis/assistant/model/tool-loop'
import type { ModelUsage } from '@trellis/assistant/model/model-port'
import { readTables } from '@trellis/workspace-db/catalogue/read-tables'
import { AppError } from '../../../platform/app-error.ts'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findContextsOfProject } from '../contexts.repository.ts'
import { findPastMessages } from '../conversations.repository.ts'
import { type UsedModel, toModelFetch, toModelProblem } from '../model/model-settings.ts'
import { findAiProjectById, findProjectTables } from '../../ai-projects/projects.service.ts'
import { describeTableTool } from '../tools/for-model/describe-table.ts'
import { listTablesTool } from '../tools/for-model/list-tables.ts'
import { makeChartTool } from '../tools/for-model/make-chart.ts'
import type { ModelToolContext, ProjectDatabase } from '../tools/for-model/model-tool-context.ts'
import { proposeActionTool } from '../tools/for-model/propose-action-tool.ts'
import { runQueryTool } from '../tools/for-model/run-query.ts'
import { searchDocumentsTool } from '../tools/for-model/search-documents-tool.ts'
import { withProjectSession } from '../tools/project-session.service.ts'
import { readSources } from '../tools/read-sources.ts'
import type { QuestionInput } from './run-query.ts'
import { type AnswerParts, startStep } from './answer-parts.ts'
import { buildSystemPrompt, toPastMessages } from './model-prompt.ts'

const TEXT_INTERVAL_MS = 200
const PAST_MESSAGES = 10

const ENDS: Readonly<Record<Exclude<LoopEnd, 'answered'>, string>> = {
  too_many_steps: 'The model took more steps than an answer may have. Ask a narrower question.',
  same_error: 'The model repeated the same mistake. Ask in other words.',
  too_much_data: 'The model asked for more rows than it may read. Ask for totals instead of rows.',
  too_long: 'The model wrote more than an answer may have. Ask a narrower question.',
}

const toTools = (context: ModelToolContext): LoopTool[] => [
  listTablesTool(context),
  describeTableTool(context),
  runQueryTool(context),
  makeChartTool(context),
  searchDocumentsTool(context),
  proposeActionTool(context),
]

export async function answerByModel(
  ctx: WorkspaceCtx,
  { input, model, onUsage }: { input: QuestionInput; model: UsedModel; onUsage: (usage: ModelUsage) => void },
  parts: AnswerParts,
): Promise<void> {
  const { signal, projectId, conversationId, messageId } = input
  parts.add({ kind: 'engine', engine: 'model', model: model.settings.model })
  const contexts = await findContextsOfProject(ctx, projectId)
  const step = startStep(parts, 'read_catalogue', 'Reading the tables of this project')
  const databases = await readDatabases(ctx, projectId, signal)
  step.finish(`${databases.reduce((sum, { tables }) => sum + tables.length, 0)} tables`)
  const context: ModelToolContext = {
    ctx,
    parts,
    projectId,
    projectCode: (await findAiProjectById(ctx, projectId))?.trellis_code ?? '',
    conversationId,
    messageId,
    signal,
    databases,
    contexts,
    lastTable: undefined,
    used: new Map(),
  }
  const past = await findPastMessages(ctx, { conversationId, before: messageId, limit: PAST_MESSAGES })
  const thinking = startStep(parts, 'call_model', `Asking ${model.settings.model}`)
  const writer = createTextWriter(parts)
  try {
    const { end, steps } = await runToolLoop(openModel(model.settings, toModelFetch(ctx)), {
      system: buildSystemPrompt(databases, contexts, ctx.clock.now()),
      messages: [...toPastMessages(past), { role: 'user', text: input.text }],
      tools: model.canUseTools ? toTools(context) : [],
      limits: LOOP_LIMITS,
      signal,
      onText: writer.write,
      onUsage,
    })
    writer.flush()
    thinking.finish(`${steps} ${steps === 1 ? 'step' : 'steps'}`, end !== 'answered')
    if (end !== 'answered') throw new AppError('limit_reached', ENDS[end])
  } catch (error) {
    writer.flush()
    if (!signal.aborted) thinking.finish(null, true)
    throw toModelProblem(error, signal)
  }
  await addSources(context)
}

async function readDatabases(ctx: WorkspaceCtx, projectId: number, signal: AbortSignal): Promise<ProjectDatabase[]> {
  const all = await findProjectTables(ctx, projectId)
  const databases: ProjectDatabase[] = []
  for (const integrationCode of new Set(all.map((table) => table.integration_code))) {
    const chosen = all.filter((table) => table.integration_code === integrationCode)
    const addresses = chosen.map(({ schema_name, table_name }) => ({ schema: schema_name, name: table_name }))
    const tables = await withProjectSession(
      ctx,
      { integrationCode, tables: chosen, signal },
      async ({ session }) => await readTables(session, addresses),
    )
    databases.push({ integrationCode, chosen, tables })
  }
  return databases
}

function createTextWriter(parts: AnswerParts) {
  let id: string | undefined
  let step = 0
  let text = ''
  let shownAt = 0
  const show = () => {
    const part = { kind: 'text', text: toSafeMarkdown(text) } as const
    if (id === undefined) id = parts.add(part)
    else parts.set(id, part)
    shownAt = performance.now()
  }
  const flush = () => {
    if (text.trim()) show()
  }
  return {
    flush,
    write(written: string, at: number) {
      if (at !== step) {
        flush()
        id = undefined
        step = at
        shownAt = 0
      }
      text = written
      if (performance.now() - shownAt >= TEXT_INTERVAL_MS) flush()
    },
  }
}

async function addSources({ ctx, parts, used, contexts }: ModelToolContext): Promise<void> {
  const codes = new Set([...used.values()].map(({ integrationCode }) => integrationCode))
  const tables = []
  for (const integrationCode of codes) {
    const read = [...used.values()].filter((item) => item.integrationCode === integrationCode)
    tables.push(...(await readSources(ctx, { integrationCode, tables: read.map(({ table }) => table) })))
  }
  if (tables.length === 0) return
  const named = contexts.map(({ trellis_code, name }) => ({ context_trellis_code: trellis_code, name }))
  parts.add({ kind: 'sources', tables, contexts: named })
}
