import * as calls from '@trellis/contract/actions/actions.endpoints'
import type { ActionType, CreateActionItemRequest } from '@trellis/contract/actions/actions.schemas'
import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as conversations from '@trellis/contract/ai/conversations.endpoints'
import * as worksheets from '@trellis/contract/worksheets/projects.endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { stopLiveAnswers } from '../ai/answer/live-answers.ts'

const VIEWER = 1

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let viewer: TestClient

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: VIEWER }],
  })
  viewer = joined.client
  await workspace.sql('create table data.orders as select 1 as id, 5 as amount')
  await workspace.sql('create view data.big_orders as select * from data.orders')
  await owner.call(worksheets.createProject, { params: params(), body: { name: 'Sheets' } })
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

const propose = (body: Partial<CreateActionItemRequest> & { action_type: ActionType }, client = owner) =>
  client.call(calls.createActionItem, { params: params(), body })
const decide = (action_id: string, decision: 'accept' | 'decline' | 'undo', client = owner) =>
  client.call(calls.decideActionItem, { params: params({ action_id }), body: { decision } })

async function listWorksheetNames(): Promise<string[]> {
  const { data } = await owner.call(worksheets.listProjectFiles, { params: params() })
  return data.flatMap(({ user }) => user.files.map(({ name }) => name))
}

describe('actions', () => {
  test('are those a person may use', async () => {
    const all = (await owner.call(calls.listActions, { params: params() })).data.actions
    expect(all.map(({ action_type }) => action_type).toSorted()).toEqual(
      [
        'color',
        'create_integration',
        'help',
        'new_worksheet',
        'snake',
        'update_integration',
        'upload_file',
        'view_database',
        'view_project',
        'view_schema',
        'view_table',
        'view_worksheet',
      ].toSorted(),
    )
    const few = (await viewer.call(calls.listActions, { params: params() })).data.actions.map(
      (action) => action.action_type,
    )
    expect(few).toContain('view_table')
    for (const type of ['create_integration', 'update_integration', 'upload_file'] as const) {
      expect(few).not.toContain(type)
      expect((await viewer.call(calls.getAction, { params: params({ action_type: type }) })).status).toBe(404)
      expect((await propose({ action_type: type }, viewer)).status).toBe(404)
    }
  })

  test('offer what can be chosen, and only tables of a project when one is named', async () => {
    const action_type = 'view_table'
    const { data } = await owner.call(calls.getAction, { params: params({ action_type }) })
    expect(data.choices.map(({ label }) => label).toSorted()).toEqual(['data.big_orders', 'data.orders'])
    const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Empty' } })
    const ai_project_id = createdResponse.data.project_trellis_code
    const none = await owner.call(calls.getAction, { params: params({ action_type }), query: { ai_project_id } })
    expect(none.data.choices).toEqual([])
  })

  test('offer schemas, tables and views to mention', async () => {
    const all = await owner.call(calls.listActionResources, { params: params() })
    expect(all.data.resources.map(({ resource_type, label }) => [resource_type, label])).toEqual(
      expect.arrayContaining([
        ['schema', 'data'],
        ['table', 'data.orders'],
        ['view', 'data.big_orders'],
      ]),
    )
    const query = { include_resource_types: 'view' }
    const views = await owner.call(calls.listActionResources, { params: params(), query })
    expect(views.data.resources.map(({ label }) => label)).toEqual(['data.big_orders'])
    const bad = { include_resource_types: 'view,secret' }
    expect((await owner.call(calls.listActionResources, { params: params(), query: bad })).status).toBe(400)
  })
})

describe('an action item', () => {
  test('opens a page once it is accepted', async () => {
    const { data } = await propose({ action_type: 'view_table', argument: 'orders' })
    expect(data).toMatchObject({ status: 'proposed', effect: null, summary: 'Open data.orders.' })
    const accepted = await decide(data.action_id, 'accept')
    const path = `explorer/${workspace.integrationCode}/schema/data/table/orders/preview`
    expect(accepted.data).toMatchObject({ status: 'accepted', effect: { kind: 'navigate', path }, can_undo: false })
    expect((await decide(data.action_id, 'accept')).status).toBe(409)
    expect((await decide(data.action_id, 'undo')).status).toBe(409)
  })

  test('creates a worksheet only when it is accepted, and takes it back', async () => {
    const { data } = await propose({ action_type: 'new_worksheet', argument: 'Big ones', sql: 'select 1' })
    expect(data.preview).toContainEqual({ label: 'SQL', value: 'select 1' })
    expect(await listWorksheetNames()).toEqual([])
    const both = await Promise.all([decide(data.action_id, 'accept'), decide(data.action_id, 'accept')])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await listWorksheetNames()).toEqual(['Big ones.sql'])
    const undone = await decide(data.action_id, 'undo')
    expect(undone.data.status).toBe('undone')
    expect(undone.data.log.map(({ status }) => status)).toEqual(['proposed', 'accepted', 'undone'])
    expect(await listWorksheetNames()).toEqual([])
  })

  test('that was declined does nothing', async () => {
    const { data } = await propose({ action_type: 'new_worksheet', argument: 'Never' })
    expect((await decide(data.action_id, 'decline')).data.status).toBe('declined')
    expect((await decide(data.action_id, 'accept')).status).toBe(409)
    expect(await listWorksheetNames()).toEqual([])
  })

  test.each([
    ['color', 'dark', { kind: 'theme', theme_mode: 'dark' }],
    ['color', '', { kind: 'theme', theme_mode: null }],
    ['snake', '', { kind: 'game', game: 'snake' }],
    ['create_integration', '', { kind: 'navigate', path: 'integrations/create' }],
  ] as const)('%s %s', async (action_type, argument, effect) => {
    const { data } = await propose({ action_type, argument })
    expect((await decide(data.action_id, 'accept')).data.effect).toEqual(effect)
  })

  test('names what it does not find, and what is not clear', async () => {
    expect((await propose({ action_type: 'view_table', argument: 'nowhere' })).status).toBe(404)
    expect((await propose({ action_type: 'view_table', argument: '' })).status).toBe(400)
  })

  test('is of one person, and in their log', async () => {
    const { data } = await propose({ action_type: 'help' })
    const place = { params: params({ action_id: data.action_id }) }
    expect((await viewer.call(calls.getActionItem, place)).status).toBe(404)
    expect((await decide(data.action_id, 'accept', viewer)).status).toBe(404)
    const log = await owner.call(calls.listActionItems, { params: params() })
    expect(log.data.items[0]?.action_id).toBe(data.action_id)
  })
})

describe('in a conversation', () => {
  async function ask(text: string, conversation: string, client = owner) {
    const place = { conversation_trellis_code: conversation }
    const sentResponse = await client.call(conversations.sendMessage, { params: params(place), body: { text } })
    const { message_trellis_code } = sentResponse.data.answer
    const find = async () => {
      const at = { ...place, message_trellis_code, message_sha: '0' }
      return (await client.call(conversations.getMessageUpdates, { params: params(at) })).data.message
    }
    await expect.poll(async () => (await find())?.status).toBe('completed')
    return (await find())?.parts ?? []
  }

  test('a command and a plain wish propose an action', async () => {
    const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Orders' } })
    const { project_trellis_code } = createdResponse.data
    const place = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
    const tables = [{ schema_name: 'data', table_name: 'orders' }]
    await owner.call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
    const begun = await owner.call(conversations.createConversation, {
      params: params(),
      body: { project_trellis_code },
    })
    const conversation = begun.data.conversation_trellis_code
    await ask('total amount of orders', conversation)
    const parts = await ask('save this as a worksheet called Total', conversation)
    const action = parts.find((part) => part.kind === 'action')
    const item = await owner.call(calls.getActionItem, { params: params({ action_id: action?.action_id ?? '' }) })
    expect(item.data.preview).toEqual([
      { label: 'Name', value: 'Total' },
      { label: 'SQL', value: expect.stringContaining('from data.orders') as string },
    ])
    expect(item.data.message_trellis_code).not.toBeNull()
    expect((await ask('/view_table orders', conversation)).some(({ kind }) => kind === 'action')).toBe(true)
    const unknown = await ask('/drop_table orders', conversation)
    expect(unknown.find((candidate) => candidate.kind === 'text')?.text).toContain('/help')
  })
})
