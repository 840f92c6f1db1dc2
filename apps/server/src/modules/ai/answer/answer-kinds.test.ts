import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import { LOADS_SCHEMA } from '@trellis/workspace-db/provision/loads-schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import type { ReadyWorkspace } from '../../../testing/workspace.ts'
import { type TestFlows, testFlows } from '../../dataflows/testing/flows.ts'
import { addRun } from '../../dataflows/testing/made-up-runs.ts'
import { handleCheckVerified } from '../verified/check-verified.handler.ts'
import { stopLiveAnswers } from './live-answers.ts'

let app: TestApp
let flows: TestFlows
let workspace: ReadyWorkspace
let project: string
let conversation: string

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never
const owner = () => workspace.account.owner

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  flows = await testFlows(app)
  workspace = flows.workspace
  await workspace.sql(
    `create table data.visits as select n as id, date '2025-01-01' + n as visited_on,
       (array['DE', 'AT', 'CH'])[1 + n % 3] as country, case when n % 4 = 0 then null else n end as minutes
       from generate_series(0, 119) n`,
    "comment on table data.visits is 'People who came to the shop.'",
    'analyze data.visits',
    `create table data.fees as select n as id, n::text as fee_amount
       from generate_series(1, 6) n`,
    'analyze data.fees',
    "insert into data.fees values (7, 'n/a'), (8, ''), (9, 'waived'), (10, ' 2.50 ')",
    'create table data.other as select 1 as id',
    'create table data."Odd ""Name""" as select 1 as "Some ""column""", \'{}\'::json as details',
  )
  const createdResponse = await owner().call(projects.createAiProject, { params: params(), body: { name: 'Visits' } })
  project = createdResponse.data.project_trellis_code
  const place = { project_trellis_code: project, integration_trellis_code: workspace.integrationCode }
  const tables = ['visits', 'fees', 'Odd "Name"'].map((table_name) => ({ schema_name: 'data', table_name }))
  await owner().call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  const begun = await owner().call(calls.createConversation, {
    params: params(),
    body: { project_trellis_code: project },
  })
  conversation = begun.data.conversation_trellis_code
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

async function ask(text: string, choices?: Record<string, string>): Promise<readonly MessagePart[]> {
  const place = { conversation_trellis_code: conversation }
  const body = { text, ...(choices && { choices }) }
  const sentResponse = await owner().call(calls.sendMessage, { params: params(place), body })
  const at = { ...place, message_trellis_code: sentResponse.data.answer.message_trellis_code, message_sha: '0' }
  const find = async () => (await owner().call(calls.getMessageUpdates, { params: params(at) })).data.message
  await expect.poll(async () => (await find())?.status, { timeout: 60_000 }).toBe('completed')
  return (await find())?.parts ?? []
}

const all = <K extends MessagePart['kind']>(parts: readonly MessagePart[], kind: K) =>
  parts.filter((part): part is Extract<MessagePart, { kind: K }> => part.kind === kind)

describe('a search for a value', () => {
  test('says where it stands, in the tables of the project alone', async () => {
    const parts = await ask('where does "at" appear?')
    expect(all(parts, 'table')[0]?.rows).toEqual([['data.visits', 'country', 'AT', '40']])
    expect(all(parts, 'step').map(({ title }) => title)).toContain('Searching for “at”')
    expect(all(parts, 'sources')[0]?.tables.map(({ table_name }) => table_name)).toContain('visits')
    expect(all(parts, 'chart')).toEqual([])
  })

  test('a whole number is looked for among numbers too; what is nowhere has no rows', async () => {
    expect(all(await ask('find 117'), 'table')[0]?.rows).toEqual([
      ['data.visits', 'id', '117', '1'],
      ['data.visits', 'minutes', '117', '1'],
    ])
    expect(all(await ask("find O'Neill"), 'table')[0]?.rows).toEqual([])
  })
})

test('amounts that are stored as text are added up although some are none, and it is said', async () => {
  const parts = await ask('total fee amount')
  expect(all(parts, 'table')[0]?.rows).toEqual([['23.50']])
  expect(all(parts, 'reading')[0]?.summary).toContain('what is no number there is left out')
})

describe('a profile', () => {
  test.each(['profile visits', 'What is in the visits table?', 'describe @data.visits'])(
    '“%s” counts each column and draws charts',
    async (text) => {
      const parts = await ask(text)
      const [profile] = all(parts, 'table')
      const rows = profile?.rows.map((row) =>
        Object.fromEntries(profile.columns.map(({ name }, at) => [name, row[at]])),
      )
      expect(rows?.map((row) => [row['column_name'], row['rows'], row['empty'], row['distinct_values']])).toEqual([
        ['id', '120', '0', '120'],
        ['visited_on', '120', '0', '120'],
        ['country', '120', '0', '3'],
        ['minutes', '120', '30', '90'],
      ])
      expect(rows?.[1]).toMatchObject({ smallest: '2025-01-01', largest: '2025-04-30' })
      expect(rows?.[2]?.['frequent_values']?.split(', ').toSorted()).toEqual(['AT', 'CH', 'DE'])
      expect(all(parts, 'chart').length).toBeGreaterThanOrEqual(2)
      expect(all(parts, 'sql').every(({ account }) => account?.role === 'tables' && account.refusal === null)).toBe(
        true,
      )
      expect(all(parts, 'text')[0]?.text).toContain('People who came to the shop.')
    },
  )

  test('works with names and types of any sort', async () => {
    const [profile] = all(await ask('profile odd name'), 'table')
    expect(profile?.rows.map(([name]) => name)).toEqual(['Some "column"', 'details'])
  })

  test('is not made of a table outside the project', async () => {
    expect(all(await ask('profile other'), 'sql')).toEqual([])
  })
})

describe('what changed', () => {
  test('is told from receipts of the tables of the project', async () => {
    expect(all(await ask('what changed since yesterday?'), 'text')[0]?.text).toBe(
      'No table of this project was loaded since yesterday.',
    )
    await workspace.sql(
      `insert into ${LOADS_SCHEMA}.receipts (load_id, schema_name, table_name, mode, source, rows, rows_updated, quarantined, finished_at)
       values (gen_random_uuid(), 'data', 'visits', 'append', 'old.csv', 70, 0, 0, now() - interval '10 days'),
              (gen_random_uuid(), 'data', 'visits', 'upsert', 'visits.csv', 50, 20, 3, now()),
              (gen_random_uuid(), 'data', 'other', 'append', 'other.csv', 9, 0, 0, now())`,
    )
    const parts = await ask('what changed since yesterday?')
    expect(all(parts, 'text')[0]?.text).toBe(
      '1 table of this project was loaded since yesterday: 30 rows new, 20 changed, 0 removed.',
    )
    const [table] = all(parts, 'table')
    expect(table?.rows.map((row) => row.slice(0, 6))).toEqual([['data.visits', '1', '30', '20', '0', '3']])
  })

  test('names runs that failed since', async () => {
    const block = await flows.sql(await flows.dataflow('Daily'), 'Visits by day')
    await flows.publish(block)
    await addRun(app, block, { status: 'FAILED', message: 'The column "total" is gone.' })
    await addRun(app, block, { status: 'FAILED', message: 'An old one.', minutesAgo: 4 * 24 * 60 })
    const parts = await ask('what changed since yesterday?')
    expect(all(parts, 'text')[0]?.text).toContain('1 run failed.')
    expect(
      all(parts, 'table')
        .at(-1)
        ?.rows.map(([name, , problem]) => [name, problem]),
    ).toEqual([['Visits by day', 'The column "total" is gone.']])
  })
})

describe('a verified question with a parameter', () => {
  test('takes the value from the question, and from the chip when it is changed', async () => {
    const body = {
      project_trellis_code: project,
      kind: 'verified_question' as const,
      name: 'Visits from :country',
      sql: 'select count(*) from data.visits where country = :country',
    }
    const createdResponse = await owner().call(projects.createBusinessContext, { params: params(), body })
    expect(createdResponse.status, createdResponse.text).toBe(200)
    const parts = await ask('visits from Austria')
    expect(all(parts, 'engine')[0]?.engine).toBe('verified')
    expect(all(parts, 'sql')[0]?.sql).toContain("country = 'AT'")
    expect(all(parts, 'table')[0]?.rows).toEqual([['40']])
    const [chip] = all(parts, 'reading')[0]?.chips ?? []
    expect(chip).toMatchObject({ id: 'parameter.country', value: 'AT', words: 'Austria' })
    const again = await ask('visits from Austria', { 'parameter.country': "x' or true --" })
    expect(all(again, 'table')[0]?.rows).toEqual([['0']])
    const open = await ask('Visits from :country')
    expect(all(open, 'sql')).toEqual([])
    expect(all(open, 'text').at(-1)?.text).toBe('Give a value for country.')
  })

  test('is planned without values before it is kept', async () => {
    const body = {
      project_trellis_code: project,
      kind: 'verified_question' as const,
      name: 'Wrong :country',
      sql: 'select gone from data.visits where country = :country',
    }
    expect((await owner().call(projects.createBusinessContext, { params: params(), body })).status).toBe(400)
  })
})

test('starter questions fit the columns, with verified ones first', async () => {
  const body = {
    project_trellis_code: project,
    kind: 'verified_question' as const,
    name: 'All visits',
    sql: 'select 1',
  }
  await owner().call(projects.createBusinessContext, { params: params(), body })
  const place = { project_trellis_code: project }
  const { questions } = (await owner().call(projects.listStarterQuestions, { params: params(place) })).data
  expect(questions).toEqual([
    'All visits',
    'Total minutes by country',
    'How many fees?',
    'Number of visits by month',
    'How many visits?',
  ])
})

test('a verified question over a column that is gone is not used, until the column is back', async () => {
  await workspace.sql('create table data.refunds as select 1 as id, 5 as cents')
  const place = { project_trellis_code: project, integration_trellis_code: workspace.integrationCode }
  const tables = ['visits', 'Odd "Name"', 'refunds'].map((table_name) => ({ schema_name: 'data', table_name }))
  await owner().call(projects.updateAiProjectTables, { params: params(place), body: { tables } })
  const name = 'What did we pay back'
  const body = {
    project_trellis_code: project,
    kind: 'verified_question' as const,
    name,
    sql: 'select sum(cents) from data.refunds',
  }
  const { data } = await owner().call(projects.createBusinessContext, { params: params(), body })
  const at = params({ context_trellis_code: data.context_trellis_code })
  const check = async () => {
    await handleCheckVerified(app.ctx, {}, { signal: new AbortController().signal })
    return (await owner().call(projects.getBusinessContext, { params: at })).data.problem
  }
  expect(await check()).toBeNull()
  await workspace.sql('alter table data.refunds rename column cents to euros')
  expect(await check()).toContain('cents')
  expect(all(await ask(name), 'engine')[0]?.engine).not.toBe('verified')
  const { questions } = (
    await owner().call(projects.listStarterQuestions, { params: params({ project_trellis_code: project }) })
  ).data
  expect(questions).not.toContain(name)
  await workspace.sql('alter table data.refunds rename column euros to cents')
  expect(await check()).toBeNull()
  expect(all(await ask(name), 'engine')[0]?.engine).toBe('verified')
  await owner().call(projects.deleteBusinessContext, { params: at })
})
