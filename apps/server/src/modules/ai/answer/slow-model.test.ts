import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import type { Message } from '@trellis/contract/ai/ai.schemas'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { grantPurchased } from '../../billing/credits.service.ts'
import { stopLiveAnswers } from './live-answers.ts'

/** What the model sends before it hangs. */
let said = ''
let server: Server
const sockets = new Set<Socket>()
let app: TestApp
let workspace: ReadyWorkspace
let project: string

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => void socket.write(said))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  app = await startTestApp({
    settings: {
      TRELLIS_RATE_LIMITS: 'off',
      TRELLIS_ALLOWED_HOSTS: '127.0.0.1',
      TRELLIS_AI_MODEL: 'slow',
      TRELLIS_AI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      TRELLIS_AI_IDLE_SECONDS: '1',
    },
  })
  workspace = await makeReadyWorkspace(app)
  const { owner, id } = workspace.account
  await grantPurchased(app.ctx, id, { checkoutId: 'cs_1', credits: 5, at: new Date(0) })
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  project = createdResponse.data.project_trellis_code
})
afterAll(async () => {
  await stopLiveAnswers()
  for (const socket of sockets) socket.destroy()
  await new Promise((resolve) => server.close(resolve))
  await workspace.remove()
  await app.close()
})

async function ask(): Promise<Message> {
  const { owner } = workspace.account
  const begun = await owner.call(calls.createConversation, {
    params: params(),
    body: { project_trellis_code: project },
  })
  const place = { conversation_trellis_code: begun.data.conversation_trellis_code }
  const sentResponse = await owner.call(calls.sendMessage, {
    params: params(place),
    body: { text: 'what is the total' },
  })
  expect(sentResponse.status, sentResponse.text).toBe(200)
  let { answer } = sentResponse.data
  while (answer.status === 'creating' || answer.status === 'responding') {
    const { message_trellis_code, sha: message_sha } = answer
    const at = { ...place, message_trellis_code, message_sha }
    answer = (await owner.call(calls.getMessageUpdates, { params: params(at) })).data.message ?? answer
  }
  return answer
}

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n'

test.each([
  ['nothing at all', ''],
  ['its head and nothing more', HEAD],
  ['a word and nothing more', `${HEAD}data: {"choices":[{"index":0,"delta":{"content":"Once"}}]}\n\n`],
])('a model that sends %s is given up, and the answer costs nothing', async (_, sends) => {
  said = sends
  const message = await ask()
  expect(message).toMatchObject({ status: 'failed', credits_spent: 0 })
  const problem = message.parts.find((part) => part.kind === 'problem')
  expect(problem?.message).toMatch(/did not answer in time|stopped in the middle/)
  const { rows } = await app.database.pool.query('select coalesce(sum(amount), 0)::int as spent from credit_spends')
  expect(rows).toEqual([{ spent: 0 }])
})
