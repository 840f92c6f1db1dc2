import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { stopLiveAnswers } from '../answer/live-answers.ts'
import { handleCheckVerified } from '../verified/check-verified.handler.ts'

const SQL = "sum(lines.amount - lines.discount) filter (where sales.state <> 'test')"

let app: TestApp
let workspace: ReadyWorkspace
let project: string
let conversation: string
let metric: string

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
const owner = () => workspace.account.owner

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  await workspace.sql(
    'create table data.sales (id int primary key, sold_on date not null, region text not null, state text not null)',
    `create table data.lines (
       id int primary key, sale_id int not null references data.sales, amount numeric not null, discount numeric not null)`,
    `insert into data.sales values (1, '2025-01-10', 'North', 'done'), (2, '2025-01-20', 'South', 'done'),
       (3, '2025-02-01', 'North', 'test'), (4, '2025-02-02', 'North', 'done')`,
    'insert into data.lines values (1, 1, 10, 1), (2, 1, 20, 2), (3, 2, 40, 0), (4, 3, 500, 0), (5, 4, 7, 1)',
    'analyze',
  )
  const createdResponse = await owner().call(projects.createAiProject, { params: params(), body: { name: 'Sales' } })
  project = createdResponse.data.project_trellis_code
  const place = { project_trellis_code: project, integration_trellis_code: workspace.integrationCode }
  const tables = ['sales', 'lines'].map((table_name) => ({ schema_name: 'data', table_name }))
  await owner().call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  const begun = await owner().call(calls.createConversation, {
    params: params(),
    body: { project_trellis_code: project },
  })
  conversation = begun.data.conversation_trellis_code
  const defined = await define('Net revenue', SQL)
  metric = defined.data.context_trellis_code
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

const define = async (name: string, sql: string) =>
  await owner().call(projects.createBusinessContext, {
    params: params(),
    body: { project_trellis_code: project, kind: 'metric', name, sql },
  })

async function ask(text: string, choices?: Record<string, string>): Promise<readonly MessagePart[]> {
  const place = { conversation_trellis_code: conversation }
  const body = { text, ...(choices && { choices }) }
  const sentResponse = await owner().call(calls.sendMessage, { params: params(place), body })
  expect(sentResponse.status, sentResponse.text).toBe(200)
  let { answer } = sentResponse.data
  while (answer.status === 'creating' || answer.status === 'responding') {
    const { message_trellis_code, sha: message_sha } = answer
    const at = { ...place, message_trellis_code, message_sha }
    answer = (await owner().call(calls.getMessageUpdates, { params: params(at) })).data.message ?? answer
  }
  expect(answer.status).toBe('completed')
  return answer.parts
}

const find = <K extends MessagePart['kind']>(parts: readonly MessagePart[], kind: K) =>
  parts.find((part): part is Extract<MessagePart, { kind: K }> => part.kind === kind)

describe('a question that names a metric', () => {
  test.each([
    ['net revenue', [['73']]],
    [
      'net revenue by region',
      [
        ['South', '40'],
        ['North', '33'],
      ],
    ],
    [
      'Net revenue by month',
      [
        ['2025-01-01', '67'],
        ['2025-02-01', '6'],
      ],
    ],
    ['net revenue of North in January 2025', [['27']]],
    ['which region has the highest net revenue', [['South', '40']]],
  ])('%s is answered by its definition', async (text, rows) => {
    const parts = await ask(text)
    expect(find(parts, 'problem')).toBeUndefined()
    expect(find(parts, 'table')?.rows).toEqual(rows)
    const reading = find(parts, 'reading')
    expect(reading?.summary).toContain('Uses the definition of Net revenue.')
    expect(reading?.chips[0]).toMatchObject({ kind: 'measure', label: 'Net revenue (definition)' })
    expect(find(parts, 'sources')?.contexts).toEqual([{ context_trellis_code: metric, name: 'Net revenue' }])
  })

  test('is answered without the definition when its chip is changed', async () => {
    const [chip] = find(await ask('net revenue by region'), 'reading')?.chips ?? []
    const total = chip?.options.find(({ label }) => label === 'total amount')
    const parts = await ask('net revenue by region', { [chip?.id ?? '']: total?.value ?? '' })
    expect(find(parts, 'table')?.rows).toEqual([
      ['North', '537'],
      ['South', '40'],
    ])
    expect(find(parts, 'sources')?.contexts).toEqual([])
  })

  test('in a way that its definition can not be added up is asked back', async () => {
    const parts = await ask('median net revenue by region')
    expect(find(parts, 'readings')).toBeDefined()
    expect(find(parts, 'table')).toBeUndefined()
  })
})

test('a metric is suggested as a first question', async () => {
  const place = { project_trellis_code: project }
  const { questions } = (await owner().call(projects.listStarterQuestions, { params: params(place) })).data
  expect(questions[0]).toBe('Net revenue by month')
})

describe('an expression', () => {
  test.each([
    ['sum(lines.gone)', 'no column lines.gone'],
    ['sum(invoices.total)', 'no table invoices'],
    ['lines.amount - lines.discount', 'Aggregate every column'],
    ['count(*)', 'names no column'],
    ['sum(id)', 'Several tables have a column id'],
    ['(select 1)', 'Leave out subqueries'],
    ["sum(length(pg_read_file('/etc/passwd'))) + sum(lines.amount)", 'pg_read_file'],
    ['sum(lines.amount) from data.sales', 'Write one expression'],
  ])('%s is refused with a reason', async (sql, reason) => {
    const { status, text } = await define('Wrong', sql)
    expect(status).toBe(400)
    expect(text).toContain(reason)
  })

  test('is checked again when it is changed', async () => {
    const at = params({ context_trellis_code: metric })
    const change = async (sql: string) =>
      await owner().call(projects.updateBusinessContext, { params: at, body: { sql } })
    expect((await change('sum(lines.gone)')).status).toBe(400)
    expect((await change(SQL)).status).toBe(200)
  })
})

test('a definition that does not fit the tables any more is said, and nothing is guessed', async () => {
  await workspace.sql('alter table data.lines rename column discount to rebate')
  const parts = await ask('net revenue by region')
  expect(find(parts, 'problem')?.message).toBe(
    'The definition of “Net revenue” does not fit the tables any more. There is no column lines.discount in this project.',
  )
  expect(find(parts, 'sql')).toBeUndefined()
  const at = params({ context_trellis_code: metric })
  const check = async () => {
    await handleCheckVerified(app.ctx, {}, { signal: new AbortController().signal })
    return (await owner().call(projects.getBusinessContext, { params: at })).data.problem
  }
  expect(await check()).toContain('lines.discount')
  expect(find(await ask('total amount by region'), 'table')?.rows).toHaveLength(2)
  await workspace.sql('alter table data.lines rename column rebate to discount')
  expect(await check()).toBeNull()
  expect(find(await ask('net revenue'), 'table')?.rows).toEqual([['73']])
})
