import { askModelConsole } from '@trellis/contract/ai/console.endpoints'
import { updateAiModel } from '@trellis/contract/ai/models.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { grantPurchased } from '../../billing/credits.service.ts'
import { type FakeModel, type FakeTurn, startFakeModel } from '../testing/fake-model.ts'

const EDITOR = 2

let app: TestApp
let workspace: ReadyWorkspace
let installed: FakeModel
let next: FakeTurn = { text: 'Hello there' }

beforeAll(async () => {
  installed = await startFakeModel('openai', () => next)
  app = await startTestApp({
    settings: {
      TRELLIS_ALLOWED_HOSTS: '127.0.0.1',
      TRELLIS_AI_MODEL: 'scripted',
      TRELLIS_AI_BASE_URL: installed.baseUrl,
      TRELLIS_AI_KEY: 'installation-key',
    },
  })
  workspace = await makeReadyWorkspace(app)
  await grantPurchased(app.ctx, workspace.account.id, { checkoutId: 'test', credits: 5, at: app.clock.now() })
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await installed.close()
})

const ask = async (body: object) =>
  await workspace.account.owner.call(askModelConsole, { params: workspace.tenant, body: body as never })
const countSpent = async () =>
  (
    await app.database.pool.query(
      "select coalesce(sum(amount), 0)::int as sum from credit_spends where reason = 'console'",
    )
  ).rows[0].sum

test('the prompt goes to the model as it is; text, calls, tokens and times come back', async () => {
  next = { text: 'Hello there', calls: [{ name: 'look_up', arguments: '{"word":"x"}' }] }
  const tools = [{ name: 'look_up', description: 'Looks up a word', parameters: { type: 'object', properties: {} } }]
  const { data, text } = await ask({ system: 'Be brief.', prompt: 'Say hello', tools })
  expect(data, text).toMatchObject({
    model: 'scripted',
    text: 'Hello there',
    calls: [{ name: 'look_up', arguments: '{"word":"x"}' }],
    first_ms: expect.any(Number),
    duration_ms: expect.any(Number),
    credits_spent: 1,
  })
  expect(installed.requests.at(-1)).toContain('Say hello')
  expect(installed.requests.at(-1)).toContain('look_up')
  expect(await countSpent()).toBe(1)
})

test('an answer that failed costs nothing', async () => {
  const before = await countSpent()
  next = { status: 400 }
  expect((await ask({ prompt: 'Say hello' })).status).toBeGreaterThanOrEqual(400)
  expect(await countSpent()).toBe(before)
  next = { text: 'Hello there' }
})

test('another model is for accounts with one of their own', async () => {
  expect((await ask({ prompt: 'Hi', model: 'other' })).status).toBe(400)
  const ownModel = await startFakeModel('openai', () => ({ text: 'Mine' }))
  const body = { protocol: 'openai', base_url: ownModel.baseUrl, model: 'mine', api_key: 'k' } as const
  const savedResponse = await workspace.account.owner.call(updateAiModel, {
    params: { account_trellis_code: workspace.account.code },
    body,
  })
  expect(savedResponse.status, savedResponse.text).toBe(200)
  expect((await ask({ prompt: 'Hi', model: 'other' })).data).toMatchObject({ model: 'other', credits_spent: 0 })
  expect(ownModel.requests.at(-1)).toContain('"other"')
  await ownModel.close()
})

test('the console is for admins of the workspace', async () => {
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const workspaces = [{ workspace_trellis_code, workspace_role_id: EDITOR }]
  const { client } = await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })
  const answer = await client.call(askModelConsole, { params: workspace.tenant, body: { prompt: 'Hi' } as never })
  expect(answer.status).toBe(403)
})
