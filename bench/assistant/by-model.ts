import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import type { Message } from '@trellis/contract/ai/ai.schemas'
import { createSchema } from '@trellis/workspace-db/schemas/change-schemas'
import { stopLiveAnswers } from '../../apps/server/src/modules/ai/answer/live-answers.ts'
import { type TestApp, startTestApp } from '../../apps/server/src/testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../apps/server/src/testing/workspace.ts'
import type { Figure } from '../report.ts'
import type { Question } from './sets/question.ts'
import { type Rows, isRight } from './score.ts'

interface QuestionSet {
  readonly name: string
  readonly schema: string
  readonly statements: readonly string[]
  readonly questions: readonly Question[]
}

const TODAY = 'Today is 15 December 2025.'
const PASSED_ON = /^TRELLIS_(?:AI_|ALLOWED_HOSTS$)/

export const isModelConfigured = (): boolean => (process.env['TRELLIS_AI_MODEL'] ?? '') !== ''

export async function measureModel(clusterUrl: string, sets: readonly QuestionSet[]): Promise<Figure[]> {
  process.env['TRELLIS_TEST_CLUSTER_URL'] = clusterUrl
  const passed = Object.entries(process.env).flatMap(([name, value]) =>
    PASSED_ON.test(name) && value !== undefined ? [[name, value] as const] : [],
  )
  const app = await startTestApp({
    settings: { ...Object.fromEntries(passed), TRELLIS_RATE_LIMITS: 'off', TRELLIS_AI_CREDITS_PER_ANSWER: '0' },
  })
  const workspace = await makeReadyWorkspace(app)
  try {
    const figures: Figure[] = []
    for (const set of sets) figures.push(...(await measureSet(app, workspace, set)))
    return figures
  } finally {
    await stopLiveAnswers()
    await workspace.remove()
    await app.close()
  }
}

async function measureSet(app: TestApp, workspace: ReadyWorkspace, set: QuestionSet): Promise<Figure[]> {
  const cluster = await app.ctx.ports.cluster.open()
  await createSchema(cluster, { key: workspace.key, name: set.schema })
  await workspace.sql(...set.statements, 'analyze')
  const ask = await createAsk(workspace, set)
  const counts = { right: 0, refused: 0, wrong: 0 }
  const scoredQuestions = set.questions.filter(({ sql }) => sql.length > 0)
  for (const question of scoredQuestions) {
    const rows = getLastRows(await ask(`${TODAY} ${question.question}`))
    const outcome = rows === undefined ? 'refused' : (await isExpected(workspace, question, rows)) ? 'right' : 'wrong'
    counts[outcome] += 1
    if (outcome !== 'right') console.log(`${outcome.padEnd(7)} ${question.kind.padEnd(8)} ${question.question}`)
  }
  return Object.entries(counts).map(([what, count]) => ({
    what: `${set.name}, ${process.env['TRELLIS_AI_MODEL']}: ${what}, of ${scoredQuestions.length}`,
    value: (100 * count) / Math.max(1, scoredQuestions.length),
    unit: '%',
  }))
}

async function createAsk(workspace: ReadyWorkspace, { name, schema }: QuestionSet) {
  const { owner } = workspace.account
  const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name } })
  const { project_trellis_code } = createdResponse.data
  const at = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
  const listedResponse = await owner.call(projects.getAiProjectTables, { params: params(at) })
  const tables = listedResponse.data.tables
    .filter(({ schema_name }) => schema_name === schema)
    .map(({ schema_name, table_name }) => ({ schema_name, table_name }))
  await owner.call(projects.updateAiProjectTables, { params: params(at), body: { tables } })
  return async (text: string): Promise<Message> => {
    const begun = await owner.call(calls.createConversation, { params: params(), body: { project_trellis_code } })
    const place = { conversation_trellis_code: begun.data.conversation_trellis_code }
    const sentResponse = await owner.call(calls.sendMessage, { params: params(place), body: { text } })
    let { answer } = sentResponse.data
    while (answer.status === 'creating' || answer.status === 'responding') {
      const { message_trellis_code, sha: message_sha } = answer
      const now = { ...place, message_trellis_code, message_sha }
      answer = (await owner.call(calls.getMessageUpdates, { params: params(now) })).data.message ?? answer
    }
    return answer
  }
}

function getLastRows({ status, parts }: Message): Rows | undefined {
  const table = parts.findLast((part) => part.kind === 'table')
  return status === 'completed' && table ? { columns: table.columns.length, rows: table.rows } : undefined
}

async function isExpected(workspace: ReadyWorkspace, { sql }: Question, actual: Rows): Promise<boolean> {
  for (const text of sql) {
    const rows = await workspace.sql(text)
    if (isRight({ columns: rows[0]?.length ?? 0, rows }, actual)) return true
  }
  return false
}
