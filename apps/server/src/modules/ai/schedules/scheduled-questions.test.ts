import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/scheduled-questions.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { TestClient } from '../../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveAnswers } from '../answer/live-answers.ts'
import { handleAskScheduled, handleQueueScheduled } from './ask-scheduled.handler.ts'

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let viewer: TestClient
let project: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code, workspace_role_id: 1 }],
  })
  viewer = joined.client
  await workspace.sql('create table data.orders as select n as id, n * 2 as amount from generate_series(1, 20) n')
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  project = createdResponse.data.project_trellis_code
  const place = { project_trellis_code: project, integration_trellis_code: workspace.integrationCode }
  const body = { tables: [{ schema_name: 'data', table_name: 'orders' }] }
  await owner.call(projects.updateAiProjectTables, { params: params(place), body })
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
const CRON = {
  scheduleType: 'Cron Schedule' as const,
  scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'Europe/Berlin' },
}

async function schedule(question: string, more: object = {}) {
  const body = { project_trellis_code: project, question, schedule: CRON, ...more }
  const createdResponse = await owner.call(calls.createScheduledQuestion, { params: params(), body })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  return createdResponse.data
}

async function findId(code: string): Promise<number> {
  const { rows } = await app.database.pool.query<{ id: number }>(
    'select id::int from ai_scheduled_questions where trellis_code = $1',
    [code],
  )
  return rows[0]?.id ?? 0
}

async function ask(code: string) {
  const run = { signal: new AbortController().signal, attempt: 1, isLastAttempt: true } as never
  await handleAskScheduled(app.ctx, { question_id: await findId(code) }, run)
  const { data } = await owner.call(calls.listScheduledQuestions, { params: params() })
  return data.questions.find(({ question_trellis_code }) => question_trellis_code === code)
}

async function listMails(subject: string): Promise<{ html: string; text: string; to_address: string }[]> {
  const { rows } = await app.database.pool.query<{ html: string; text: string; to_address: string }>(
    'select html, text, to_address from mail_outbox where subject = $1 order by id',
    [subject],
  )
  return rows
}

test('the answer is mailed with its table and a link', async () => {
  const { question_trellis_code, next_at } = await schedule('total amount of orders by id')
  expect(new Date(next_at ?? 0).getUTCDay()).toBe(1)
  const asked = await ask(question_trellis_code)
  expect(asked).toMatchObject({ last_outcome: 'mailed', last_problem: null })
  const [mail] = await listMails('total amount of orders by id')
  expect(mail?.html).toContain('<table')
  expect(mail?.text).toContain(`/ai/chats/${asked?.conversation_trellis_code}`)
})

test('is mailed again only if its rows changed', async () => {
  const question = 'how many orders'
  const { question_trellis_code } = await schedule(question, { only_if_changed: true })
  expect((await ask(question_trellis_code))?.last_outcome).toBe('mailed')
  expect((await ask(question_trellis_code))?.last_outcome).toBe('unchanged')
  expect(await listMails(question)).toHaveLength(1)
  await workspace.sql('insert into data.orders values (21, 42)')
  expect((await ask(question_trellis_code))?.last_outcome).toBe('mailed')
  expect(await listMails(question)).toHaveLength(2)
})

test('what is due is queued once, and paused ones are not', async () => {
  const due = await schedule('how many orders today')
  const paused = await schedule('how many orders now')
  const patch = { params: params({ question_trellis_code: paused.question_trellis_code }), body: { is_paused: true } }
  expect((await owner.call(calls.updateScheduledQuestion, patch)).data).toMatchObject({
    is_paused: true,
    next_at: null,
  })
  await app.database.pool.query(
    "update ai_scheduled_questions set next_at = date_trunc('minute', now()) - interval '1 minute'",
  )
  await Promise.all([handleQueueScheduled(app.ctx), handleQueueScheduled(app.ctx)])
  const { rows } = await app.database.pool.query<{ data: { question_id: number } }>(
    "select data from jobs.job where name = 'ai.ask-scheduled'",
  )
  const ids = rows.map(({ data }) => data.question_id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids).toContain(await findId(due.question_trellis_code))
  expect(ids).not.toContain(await findId(paused.question_trellis_code))
})

test('is running from the click until it has an outcome, and not asked twice meanwhile', async () => {
  const { question_trellis_code, is_running } = await schedule('how many orders are there')
  expect(is_running).toBe(false)
  const at = { params: params({ question_trellis_code }) }
  const clicks = await Promise.all(Array.from({ length: 20 }, () => owner.call(calls.runScheduledQuestion, at)))
  expect(new Set(clicks.map(({ data }) => data.is_running))).toEqual(new Set([true]))
  const { rows } = await app.database.pool.query(
    "select from jobs.job where name = 'ai.ask-scheduled' and (data ->> 'question_id')::int = $1",
    [await findId(question_trellis_code)],
  )
  expect(rows).toHaveLength(1)
  expect(await ask(question_trellis_code)).toMatchObject({ is_running: false, last_outcome: 'mailed' })
})

test('that fails is told by mail once, with the reason', async () => {
  const { question_trellis_code } = await schedule('how many orders this week')
  const fail = async () => {
    await app.database.pool.query("update accounts set stripe_plan_end_date = now() - interval '90 days'")
    const asked = await ask(question_trellis_code)
    await app.database.pool.query('update accounts set stripe_plan_end_date = null')
    return asked
  }
  const reason = 'The plan of this account has ended.'
  expect(await fail()).toMatchObject({ last_outcome: 'failed', last_problem: reason, is_running: false })
  await fail()
  const mails = await listMails('Not answered: how many orders this week')
  expect(mails.map(({ text }) => text.includes(reason))).toEqual([true])
})

test('of somebody without access fails with a sentence', async () => {
  const body = { project_trellis_code: project, question: 'how many orders', schedule: CRON }
  const createdResponse = await viewer.call(calls.createScheduledQuestion, { params: params(), body })
  const id = await findId(createdResponse.data.question_trellis_code)
  await app.database.pool.query('delete from workspace_members where workspace_id = $1', [workspace.id])
  const run = { signal: new AbortController().signal, attempt: 1, isLastAttempt: true } as never
  await handleAskScheduled(app.ctx, { question_id: id }, run)
  const { rows } = await app.database.pool.query(
    'select last_outcome, last_problem from ai_scheduled_questions where id = $1',
    [id],
  )
  expect(rows[0]).toMatchObject({
    last_outcome: 'failed',
    last_problem: expect.stringContaining('no access') as string,
  })
})

test('a wrong schedule is refused, and another person sees nothing', async () => {
  const wrong = { scheduleType: 'Cron Schedule', scheduleArgs: { cronExpression: 'nonsense', timeStandard: 'UTC' } }
  const body = { project_trellis_code: project, question: 'how many', schedule: wrong }
  expect((await owner.call(calls.createScheduledQuestion, { params: params(), body })).status).toBe(400)
  const { question_trellis_code } = await schedule('how many customers')
  const place = { params: params({ question_trellis_code }) }
  expect((await viewer.call(calls.deleteScheduledQuestion, place)).status).toBe(404)
  expect((await owner.call(calls.deleteScheduledQuestion, place)).status).toBe(200)
})
