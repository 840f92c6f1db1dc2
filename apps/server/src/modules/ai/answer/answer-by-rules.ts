import { type Interpretation, answerQuestion } from '@trellis/assistant/engine/answer'
import { parseChangesQuestion } from '@trellis/assistant/engine/changes/changes-question'
import { suggestFollowUps } from '@trellis/assistant/engine/follow-ups'
import { findProfiledTable } from '@trellis/assistant/engine/profile/profile-question'
import { parseSearchQuestion } from '@trellis/assistant/engine/search/search-question'
import { suggestStarterQuestions } from '@trellis/assistant/engine/starter-questions'
import type { WorkspaceCtx } from '../../../platform/ctx.ts'
import { findContextsOfProject } from '../contexts.repository.ts'
import { findModelName } from '../model/model-settings.ts'
import { type ProjectTable, findProjectTables } from '../../ai-projects/projects.service.ts'
import { lookUpVerified } from '../tools/look-up-verified.ts'
import { withProjectSession } from '../tools/project-session.service.ts'
import { type ProjectCatalogue, readCatalogue } from '../tools/read-catalogue.ts'
import { searchDocuments } from '../tools/search-documents.ts'
import { parseCommand } from '../tools/propose-action.ts'
import { answerChanges } from './answer-changes.ts'
import { answerCommand } from './answer-command.ts'
import { type AnswerParts, startStep } from './answer-parts.ts'
import { answerProfile } from './answer-profile.ts'
import { answerSearch } from './answer-search.ts'
import { answerVerified } from './answer-verified.ts'
import { type AnswerContext, type QuestionInput, runQuery } from './run-query.ts'

const NO_TABLES = 'No table was chosen for this project yet. Choose the tables it may read, and ask again.'

export async function answerByRules(ctx: WorkspaceCtx, input: QuestionInput, parts: AnswerParts): Promise<void> {
  const model = await findModelName(ctx)
  const command = parseCommand(input.text)
  if (command) {
    parts.add({ kind: 'engine', engine: 'rules', model })
    await answerCommand(ctx, { ...input, command }, parts)
    return
  }
  const changes = parseChangesQuestion(input.text, ctx.clock.now())
  if (changes) {
    parts.add({ kind: 'engine', engine: 'rules', model })
    await answerChanges(ctx, { changes, projectId: input.projectId }, parts)
    return
  }
  const contexts = await findContextsOfProject(ctx, input.projectId)
  const tables = await findProjectTables(ctx, input.projectId)
  const verified = lookUpVerified(contexts, input.text)
  parts.add({ kind: 'engine', engine: verified ? 'verified' : 'rules', model })
  const integrationCode = verified?.integration_code ?? tables[0]?.integration_code
  if (integrationCode === undefined) {
    if (!(await addPassages(ctx, input, { parts, isStrict: false }))) parts.add({ kind: 'text', text: NO_TABLES })
    return
  }
  const chosen = tables.filter((table) => table.integration_code === integrationCode)
  const step = startStep(parts, 'read_catalogue', 'Reading the tables of this project')
  await withProjectSession(
    ctx,
    { integrationCode, tables: chosen, signal: input.signal },
    async (openedProjectSession) => {
      const catalogue = await readCatalogue(ctx, openedProjectSession, { integrationCode, chosen, contexts })
      step.finish(countTables(catalogue, chosen))
      const answering = { ctx, input, parts, contexts, integrationCode, opened: openedProjectSession, catalogue }
      if (verified) return await answerVerified(answering, verified)
      const profiled = findProfiledTable(catalogue.engine, input.text)
      if (profiled) return await answerProfile(answering, profiled)
      const search = parseSearchQuestion(catalogue.engine, { text: input.text, now: ctx.clock.now() })
      if (search) await answerSearch(answering, search)
      else await answerReading(answering)
    },
  )
}

function countTables({ tables }: ProjectCatalogue, chosen: readonly ProjectTable[]): string {
  const missing = chosen.length - tables.length
  return `${tables.length} ${tables.length === 1 ? 'table' : 'tables'}${missing > 0 ? `, ${missing} of those chosen are gone` : ''}`
}

async function answerReading(answering: AnswerContext): Promise<void> {
  const { input, parts, catalogue, ctx } = answering
  const { text, choices } = input
  const answer = answerQuestion(catalogue.engine, { text, choices, now: ctx.clock.now() })
  if (answer.kind === 'nothing') {
    if (await addPassages(ctx, input, { parts, isStrict: false })) return
    parts.add({
      kind: 'text',
      text: 'I found nothing in this question that matches a table, a column, a value or a document of this project.',
    })
    parts.add({ kind: 'follow_ups', questions: suggestStarterQuestions(catalogue.engine, ctx.clock.now()) })
    return
  }
  if (answer.kind === 'unusable_metric') {
    const { name, problem } = answer.metric
    parts.add({
      kind: 'problem',
      message: `The definition of “${name}” does not fit the tables any more. ${problem}`,
      hint: 'Change the metric in the business context of this project, and ask again.',
    })
    return
  }
  if (answer.kind === 'readings') {
    if (await addPassages(ctx, input, { parts, isStrict: true })) return
    const [first] = answer.readings
    parts.add({ kind: 'text', text: 'I am not sure what is meant. Choose a reading, or ask in other words.' })
    parts.add({
      kind: 'readings',
      readings: answer.readings.map((interpretation) => ({
        summary: interpretation.summary,
        sql: interpretation.sql,
        choices: { ...interpretation.choices },
        confidence: interpretation.confidence,
      })),
      ignored_words: [...(first?.ignoredWords ?? [])],
    })
    return
  }
  const { reading } = answer
  parts.add({
    kind: 'reading',
    summary: reading.summary,
    chips: [...reading.chips],
    ignored_words: [...reading.ignoredWords],
    confidence: reading.confidence,
  })
  const used = new Set(reading.metrics.map(({ code }) => code))
  const contexts = answering.contexts.filter(({ trellis_code }) => used.has(trellis_code))
  const isAnswered = await runQuery(answering, { sql: reading.sql, contexts })
  if (isAnswered) addFollowUps(answering, reading)
}

async function addPassages(
  ctx: WorkspaceCtx,
  { text, projectId, conversationId }: QuestionInput,
  { parts, isStrict }: { parts: AnswerParts; isStrict: boolean },
): Promise<boolean> {
  const found = await searchDocuments(ctx, { projectId, conversationId }, { text, isStrict })
  if (found.length === 0) return false
  startStep(parts, 'search_documents', 'Searching the documents of this project').finish(`${found.length} passages`)
  parts.add({ kind: 'text', text: 'These passages of your documents have most words of the question.' })
  const passages = found.map(({ matched: _, words: __, ...passage }) => passage)
  parts.add({ kind: 'documents', passages })
  return true
}

function addFollowUps({ ctx, parts, catalogue }: AnswerContext, { plan }: Interpretation): void {
  const questions = suggestFollowUps(catalogue.engine, plan, ctx.clock.now())
  if (questions.length > 0) parts.add({ kind: 'follow_ups', questions })
}
