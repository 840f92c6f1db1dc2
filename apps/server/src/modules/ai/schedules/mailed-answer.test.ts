import { text as readAll } from 'node:stream/consumers'
import type { AddressInfo } from 'node:net'
import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/scheduled-questions.endpoints'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveAnswers } from '../answer/live-answers.ts'

let smtp: SMTPServer
const mails: string[] = []
let app: TestApp
let workspace: ReadyWorkspace

beforeAll(async () => {
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    closeTimeout: 100,
    onData: (stream, _, done) => void readAll(stream).then((mail) => mails.push(mail) && done(), done),
  })
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', resolve))
  const { port } = smtp.server.address() as AddressInfo
  app = await startTestApp({
    hasWorker: true,
    settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_SMTP_URL: `smtp://127.0.0.1:${port}` },
  })
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
  await new Promise<void>((resolve) => smtp.close(() => resolve()))
})

/** Quoted-printable for ASCII. */
const decode = (mail: string): string =>
  mail
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))

test('a scheduled question is asked by the worker, and its answer arrives with table and chart', async () => {
  const { owner } = workspace.account
  const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
  await workspace.sql(
    `create table data.orders as select n as id, (array['paid', 'open', 'shipped'])[1 + n % 3] as status, n * 2 as amount
       from generate_series(1, 30) n`,
    'analyze data.orders',
  )
  const createdResponse = await owner.call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  const { project_trellis_code } = createdResponse.data
  const place = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
  const tables = [{ schema_name: 'data', table_name: 'orders' }]
  await owner.call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  const schedule = {
    scheduleType: 'Cron Schedule' as const,
    scheduleArgs: { cronExpression: '0 8 ? * 1 *', timeStandard: 'UTC' },
  }
  const body = { project_trellis_code, question: 'total amount by status', schedule, only_if_changed: false }
  const { question_trellis_code } = (await owner.call(calls.createScheduledQuestion, { params: params(), body })).data
  await owner.call(calls.runScheduledQuestion, { params: params({ question_trellis_code }) })
  await expect.poll(() => mails.length, { timeout: 120_000 }).toBe(1)
  const mail = decode(mails[0] ?? '')
  expect(mail).toContain('Subject: total amount by status')
  for (const status of ['paid', 'open', 'shipped']) expect(mail).toContain(`>${status}</td>`)
  expect(mail).toContain('role="img"')
  expect(mail).toMatch(/width:100%"><\/div>/)
  expect(mail).toMatch(/(paid|open|shipped) #{20} \d+/)
  const listed = async () => (await owner.call(calls.listScheduledQuestions, { params: params() })).data.questions[0]
  await expect.poll(async () => (await listed())?.last_outcome, { timeout: 60_000 }).toBe('mailed')
})
