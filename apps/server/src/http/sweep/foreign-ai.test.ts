import * as actions from '@trellis/contract/actions/actions.endpoints'
import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as chats from '@trellis/contract/ai/conversations.endpoints'
import * as documents from '@trellis/contract/ai/documents.endpoints'
import * as scheduled from '@trellis/contract/ai/scheduled-questions.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stopLiveAnswers } from '../../modules/ai/answer/live-answers.ts'
import { VIEW, joinNewPerson, makeAccount } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

type Id = 'project' | 'context' | 'conversation' | 'question' | 'answer' | 'file' | 'task' | 'action' | 'scheduled'
type Ids = Record<Id, string>
interface Place {
  readonly workspace: ReadyWorkspace
  readonly client: TestClient
  readonly ids: Ids
}

const EDITOR = 2
const NOBODY: Ids = {
  project: 'zzzzzzzzzzzz',
  context: 'zzzzzzzzzzzz',
  conversation: 'zzzzzzzzzzzz',
  question: 'zzzzzzzzzzzz',
  answer: 'zzzzzzzzzzzz',
  file: 'zzzzzzzzzzzz',
  task: 'zzzzzzzzzzzz',
  action: 'zzzzzzzzzzzz',
  scheduled: 'zzzzzzzzzzzz',
}
const EVERY_MONDAY = {
  scheduleType: 'Cron Schedule' as const,
  scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'UTC' },
}

let app: TestApp
let theirs: Place
let others: Place[]

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  const account = await makeAccount(app)
  const first = await makeReadyWorkspace(app, { account, address: 'first' })
  theirs = await makePlace(first, first.account.owner)
  const colleague = await joinNewPerson(app, account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: first.integrationCode.replace(/-db$/, ''), workspace_role_id: EDITOR }],
  })
  const second = await makeReadyWorkspace(app, { account, address: 'second' })
  const elsewhere = await makeReadyWorkspace(app)
  others = [
    await makePlace(second, second.account.owner),
    await makePlace(elsewhere, elsewhere.account.owner),
    await makePlace(first, colleague.client),
  ]
})
afterAll(async () => {
  await stopLiveAnswers()
  for (const workspace of new Set([theirs, ...others].map((place) => place.workspace))) await workspace.remove()
  await app.close()
})

async function makePlace(workspace: ReadyWorkspace, client: TestClient): Promise<Place> {
  const params = workspace.tenant
  const name = `Sales ${client.token?.slice(-6)}`
  const createdResponse = await client.call(projects.createAiProject, { params, body: { name, description: '' } })
  const project = createdResponse.data.project_trellis_code
  const body = { project_trellis_code: project, kind: 'text', name: 'Revenue', text: 'Without tax.' }
  const context = await client.call(projects.createBusinessContext, { params, body })
  const begun = await client.call(chats.createConversation, { params, body: { project_trellis_code: project } })
  const conversation = begun.data.conversation_trellis_code
  const place = { ...params, conversation_trellis_code: conversation }
  const { data: sent } = await client.call(chats.sendMessage, { params: place, body: { text: 'how many' } })
  const text = { name: 'Terms', text: 'Thirty days.', project_trellis_code: project }
  const file = await client.call(documents.uploadText, { params, body: text })
  const action = await client.call(actions.createActionItem, { params, body: { action_type: 'help' } })
  const asked = { project_trellis_code: project, question: 'how many', schedule: EVERY_MONDAY }
  const question = await client.call(scheduled.createScheduledQuestion, { params, body: asked })
  for (const { status, text: answer } of [file, action, question]) expect(status, answer).toBe(200)
  return {
    workspace,
    client,
    ids: {
      file: file.data.file_id,
      task: file.data.task_id,
      action: action.data.action_id,
      scheduled: question.data.question_trellis_code,
      project,
      context: context.data.context_trellis_code,
      conversation,
      question: sent.question.message_trellis_code,
      answer: sent.answer.message_trellis_code,
    },
  }
}

type Call = [Endpoint, { params: object; body?: object; query?: object }]

function listWorkspaceCalls({ workspace: { tenant, integrationCode } }: Place, ids: Ids): Call[] {
  const project = { ...tenant, project_trellis_code: ids.project }
  const tables = { ...project, integration_trellis_code: integrationCode }
  const context = { ...tenant, context_trellis_code: ids.context }
  const fresh = { project_trellis_code: ids.project, kind: 'text', name: 'Mine', text: '' }
  return [
    [projects.getAiProject, { params: project }],
    [projects.updateAiProject, { params: project, body: { name: 'Mine' } }],
    [projects.getAiProjectTables, { params: tables }],
    [projects.updateAiProjectTables, { params: tables, body: { tables: [] } }],
    [projects.createBusinessContext, { params: tenant, body: fresh }],
    [projects.getBusinessContext, { params: context }],
    [projects.updateBusinessContext, { params: context, body: { text: 'Mine' } }],
    [projects.deleteBusinessContext, { params: context }],
    [documents.listProjectDocuments, { params: project }],
    [documents.listProjectUploads, { params: project }],
    [documents.uploadText, { params: tenant, body: { name: 'A', text: 'A', project_trellis_code: ids.project } }],
    [documents.getDocument, { params: { ...tenant, file_id: ids.file } }],
    [documents.getUploadTask, { params: { ...tenant, task_id: ids.task } }],
    [documents.deleteDocument, { params: { ...tenant, file_id: ids.file } }],
    [
      scheduled.createScheduledQuestion,
      { params: tenant, body: { project_trellis_code: ids.project, question: 'how many', schedule: EVERY_MONDAY } },
    ],
    [projects.deleteAiProject, { params: project }],
    [chats.createConversation, { params: tenant, body: { project_trellis_code: ids.project } }],
  ]
}

/** A message is found only through its conversation. */
function listPersonCalls({ workspace: { tenant }, ids: ownIds }: Place, ids: Ids): Call[] {
  const chat = { ...tenant, conversation_trellis_code: ids.conversation }
  const item = { ...tenant, action_id: ids.action }
  const question = { ...tenant, question_trellis_code: ids.scheduled }
  const answers = [
    { ...chat, message_trellis_code: ids.answer },
    { ...chat, message_trellis_code: ownIds.answer },
    { ...tenant, conversation_trellis_code: ownIds.conversation, message_trellis_code: ids.answer },
  ]
  const messages = [ids.answer, ids.question].map((code) => ({ ...tenant, message_trellis_code: code }))
  return [
    [chats.getConversation, { params: chat }],
    [chats.getConversationMetadata, { params: chat }],
    [chats.renameConversation, { params: chat, body: { name: 'Mine' } }],
    [chats.sendMessage, { params: chat, body: { text: 'how many' } }],
    ...answers.flatMap((params): Call[] => [
      [chats.getMessageUpdates, { params: { ...params, message_sha: '0' } }],
      [chats.followMessage, { params }],
      [chats.cancelMessage, { params }],
    ]),
    ...messages.flatMap((params): Call[] => [
      [chats.getMessageFeedback, { params }],
      [chats.rateMessage, { params, body: { rating: 'down', reasons: [], comment: '' } }],
    ]),
    [actions.getActionItem, { params: item }],
    [actions.decideActionItem, { params: item, body: { decision: 'accept' } }],
    [scheduled.updateScheduledQuestion, { params: question, body: { is_paused: true } }],
    [scheduled.runScheduledQuestion, { params: question }],
    [scheduled.deleteScheduledQuestion, { params: question }],
    [chats.deleteConversation, { params: chat }],
  ]
}

/** Without per-response ids. */
const shown = ({ status, text }: { status: number; text: string }) => [status, text.replaceAll(/"id":"[^"]*"/g, '"id"')]

test.each([
  ['another workspace of the account', 0, [listWorkspaceCalls, listPersonCalls]],
  ['another account', 1, [listWorkspaceCalls, listPersonCalls]],
  ['the same workspace for another person', 2, [listPersonCalls]],
] as const)(
  'AI projects, context, documents, actions, schedules and chats answer in %s like those of nobody',
  async (_, at, lists) => {
    const other = others[at] as Place
    const send = ([endpoint, input]: Call) =>
      other.client.call(endpoint, input as Parameters<typeof other.client.call>[1])
    const foreign = lists.flatMap((list) => list(other, theirs.ids))
    const missingCalls = lists.flatMap((list) => list(other, NOBODY))
    for (const [index, call] of foreign.entries()) {
      const answer = shown(await send(call))
      expect(answer, call[0].id).toEqual(shown(await send(missingCalls[index] as Call)))
      expect(answer[0], call[0].id).toBe(404)
    }
  },
)

test('lists name nothing of others, and a filter by a foreign project finds nothing', async () => {
  for (const { client, workspace, ids } of others) {
    const params = workspace.tenant
    const listedResponse = await client.call(chats.listConversations, { params })
    expect(listedResponse.data.items.map((item) => item.conversation_trellis_code)).toEqual([ids.conversation])
    const query = { project_trellis_code: theirs.ids.project }
    expect((await client.call(chats.listConversations, { params, query })).data.items).toEqual([])
  }
  const { client, workspace } = others[0] as Place
  const listed = await client.call(scheduled.listScheduledQuestions, { params: workspace.tenant })
  expect(listed.text).not.toContain(theirs.ids.scheduled)
  expect((await client.call(documents.listUploadTasks, { params: workspace.tenant })).text).not.toContain(
    theirs.ids.file,
  )
  expect((await client.call(actions.listActionItems, { params: workspace.tenant })).text).not.toContain(
    theirs.ids.action,
  )
  const all = await client.call(projects.listAiProjects, { params: workspace.tenant })
  expect(all.data.items.map((item) => item.project_trellis_code)).not.toContain(theirs.ids.project)
})

test('what was tried changed nothing', async () => {
  const { client, workspace, ids } = theirs
  const place = { ...workspace.tenant, conversation_trellis_code: ids.conversation }
  const chat = await client.call(chats.getConversation, { params: place })
  expect(chat.data).toMatchObject({ name: 'how many', message_count: 2 })
  expect(chat.data.messages.at(-1)).toMatchObject({ status: 'completed', rating: null })
  const context = { ...workspace.tenant, context_trellis_code: ids.context }
  expect((await client.call(projects.getBusinessContext, { params: context })).data.text).toBe('Without tax.')
})
