import * as projects from '@trellis/contract/ai/ai-projects.endpoints'
import type { Message } from '@trellis/contract/ai/ai.schemas'
import * as calls from '@trellis/contract/ai/conversations.endpoints'
import type { MessagePart } from '@trellis/contract/ai/message-parts.schemas'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { stopLiveAnswers } from './answer/live-answers.ts'

const VIEWER = 1

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let viewer: TestClient
let project: string

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: VIEWER }],
  })
  viewer = joined.client
  await workspace.sql('create table data.customers (id int primary key, name text not null, country text not null)')
  await workspace.sql(
    'create table data.orders (id int primary key, customer_id int not null references data.customers, ordered_on date not null, amount numeric not null)',
  )
  await workspace.sql(
    "insert into data.customers select n, 'Customer ' || n, case n % 3 when 0 then 'France' else 'Spain' end from generate_series(1, 30) n",
  )
  await workspace.sql(
    "insert into data.orders select n, 1 + n % 20, date '2025-01-01' + n, n from generate_series(1, 200) n",
  )
  await workspace.sql("create table data.salaries as select 'secret' as person, 1 as amount")
  await workspace.sql('analyze')
  project = await makeProject('Sales', ['customers', 'orders'])
})
afterAll(async () => {
  await stopLiveAnswers()
  await workspace.remove()
  await app.close()
})

const params = (more: object = {}) => ({ ...workspace.tenant, ...more }) as never

async function makeProject(name: string, tables: readonly string[]): Promise<string> {
  const createdResponse = await owner.call(projects.createAiProject, {
    params: params(),
    body: { name, description: '' },
  })
  const project_trellis_code = createdResponse.data.project_trellis_code
  const place = { project_trellis_code, integration_trellis_code: workspace.integrationCode }
  const body = { tables: tables.map((table_name) => ({ schema_name: 'data', table_name })) }
  const chosen = await owner.call(projects.updateAiProjectTables, { params: params(place), body })
  expect(chosen.status).toBe(200)
  return project_trellis_code
}

async function begin(client = owner, project_trellis_code = project): Promise<string> {
  const answer = await client.call(calls.createConversation, { params: params(), body: { project_trellis_code } })
  return answer.data.conversation_trellis_code
}

async function ask(
  text: string,
  more: { client?: TestClient; conversation?: string; choices?: Record<string, string> } = {},
) {
  const client = more.client ?? owner
  const conversation_trellis_code = more.conversation ?? (await begin(client))
  const body = { text, ...(more.choices && { choices: more.choices }) }
  const sentResponse = await client.call(calls.sendMessage, { params: params({ conversation_trellis_code }), body })
  expect(sentResponse.status).toBe(200)
  const { message_trellis_code } = sentResponse.data.answer
  let message: Message = sentResponse.data.answer
  let message_sha = '0'
  while (message.status === 'creating' || message.status === 'responding') {
    const place = { conversation_trellis_code, message_trellis_code, message_sha }
    const update = await client.call(calls.getMessageUpdates, { params: params(place) })
    expect(update.status).toBe(200)
    message_sha = update.data.sha
    message = update.data.message ?? message
  }
  return { message, conversation_trellis_code }
}

const part = <K extends MessagePart['kind']>(message: Message, kind: K) =>
  message.parts.find((candidate): candidate is Extract<MessagePart, { kind: K }> => candidate.kind === kind)

describe('an answer', () => {
  test('comes with its reading, SQL, rows, chart, sources and engine', async () => {
    const { message } = await ask('total amount by country')
    expect(message.status).toBe('completed')
    expect(part(message, 'engine')).toMatchObject({ engine: 'rules', model: null })
    expect(part(message, 'reading')?.chips.map(({ kind }) => kind)).toEqual(['measure', 'group'])
    const rows = part(message, 'table')?.rows.map(([country, total]) => [country, Number(total)])
    const expected = await workspace.sql(
      'select country, sum(amount) from data.orders join data.customers on customers.id = customer_id group by 1 order by 2 desc',
    )
    expect(rows).toEqual(expected.map(([country, total]) => [country, Number(total)]))
    expect(part(message, 'sql')?.account).toMatchObject({ role: 'tables', refusal: null, rows: 2 })
    expect(part(message, 'chart')?.chart.kind).toBe('bar')
    expect(
      part(message, 'sources')
        ?.tables.map(({ table_name }) => table_name)
        .toSorted(),
    ).toEqual(['customers', 'orders'])
    expect(message.credits_spent).toBe(0)
  })

  test('is read anew with a chip that was changed', async () => {
    const first = await ask('total amount by country')
    const chip = part(first.message, 'reading')?.chips.find(({ kind }) => kind === 'measure')
    const average = chip?.options.find(({ label }) => label.startsWith('average'))
    const { message } = await ask('total amount by country', { choices: { [chip?.id ?? '']: average?.value ?? '' } })
    expect(part(message, 'sql')?.sql).toContain('avg(')
    expect(part(message, 'reading')?.chips[0]?.value).toBe(average?.value)
  })

  test('asks back instead of guessing, and takes the reading that was chosen', async () => {
    const text = 'total amount by country in Atlantis'
    const { message } = await ask(text)
    const readings = part(message, 'readings')
    expect(message.status).toBe('completed')
    expect(part(message, 'table')).toBeUndefined()
    expect(readings?.ignored_words).toEqual(['Atlantis'])
    const chosen = await ask(text, { choices: readings?.readings[0]?.choices ?? {} })
    expect(part(chosen.message, 'table')?.rows).toHaveLength(2)
  })

  test('with an Idempotency-Key is begun once its question is stored, and only once', async () => {
    const conversation_trellis_code = await begin()
    const send = () =>
      owner.call(calls.sendMessage, {
        params: params({ conversation_trellis_code }),
        body: { text: 'how many customers' },
        headers: { 'idempotency-key': `ask-${conversation_trellis_code}` },
      })
    const { message_trellis_code } = (await send()).data.answer
    expect((await send()).data.answer.message_trellis_code).toBe(message_trellis_code)
    const find = () =>
      app.ctx.db
        .selectFrom('ai_messages')
        .select(['status', 'attempt'])
        .where('trellis_code', '=', message_trellis_code)
        .executeTakeFirst()
    await expect.poll(find).toEqual({ status: 'completed', attempt: 1 })
  })

  test('takes a mentioned table as the word for it', async () => {
    const { message } = await ask('how many @data.customers')
    expect(part(message, 'table')?.rows).toEqual([['30']])
    expect(part(message, 'reading')?.ignored_words).toEqual([])
  })

  test('says when it understood nothing', async () => {
    const { message } = await ask('what is the meaning of life')
    expect(part(message, 'table')).toBeUndefined()
    expect(part(message, 'text')?.text).toContain('nothing in this question')
  })

  test('never reads a table outside its project', async () => {
    const { message } = await ask('show salaries')
    expect(JSON.stringify(message)).not.toContain('secret')
  })

  test('is followed as events until it is finished', async () => {
    const conversation_trellis_code = await begin()
    const place = { conversation_trellis_code }
    const sentResponse = await owner.call(calls.sendMessage, {
      params: params(place),
      body: { text: 'orders per month' },
    })
    const path = {
      ...workspace.tenant,
      ...place,
      message_trellis_code: sentResponse.data.answer.message_trellis_code,
    } as Record<string, string>
    const url =
      app.url + toEndpointUrl(calls.followMessage).replaceAll(/:(\w+)/g, (_, name: string) => path[name] ?? '')
    const response = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } })
    const events = (await response.text()).split('\n\n').filter((event) => event.startsWith('data: '))
    const last = JSON.parse(events.at(-1)?.slice(6) ?? '{}') as Message
    expect(last.status).toBe('completed')
    expect(part(last, 'table')?.rows.length).toBeGreaterThan(5)
  })

  test('is cancelled together with its query', async () => {
    await workspace.sql(
      'create view data.slow_things as select a from generate_series(1, 10000) a, generate_series(1, 15000) b',
    )
    const slow = await makeProject('Slow', ['slow_things'])
    const conversation_trellis_code = await begin(owner, slow)
    const place = { conversation_trellis_code }
    const sentResponse = await owner.call(calls.sendMessage, {
      params: params(place),
      body: { text: 'how many slow things' },
    })
    const answer = { ...place, message_trellis_code: sentResponse.data.answer.message_trellis_code }
    const find = async () =>
      (await owner.call(calls.getMessageUpdates, { params: params({ ...answer, message_sha: '0' }) })).data.message
    await expect.poll(async () => (await find())?.parts.some(({ kind }) => kind === 'sql')).toBe(true)
    await owner.call(calls.cancelMessage, { params: params(answer) })
    await expect.poll(async () => (await find())?.status).toBe('cancelled')
    const { admin } = await app.ctx.ports.cluster.open()
    const running =
      "select from pg_stat_activity where query like '%slow_things%' and state = 'active' and pid <> pg_backend_pid()"
    await expect.poll(async () => (await admin.query(running)).rowCount).toBe(0)
  })

  test('of a process that died is taken over by whoever looks at it', async () => {
    const { message, conversation_trellis_code } = await ask('how many customers')
    const { message_trellis_code } = message
    await app.ctx.db
      .updateTable('ai_messages')
      .set({ status: 'responding', parts: '[]', sha: 'x', finished_at: null, heartbeat_at: new Date(0) })
      .where('trellis_code', '=', message_trellis_code)
      .execute()
    await expect
      .poll(async () => {
        const place = { conversation_trellis_code, message_trellis_code, message_sha: '0' }
        const { data } = await owner.call(calls.getMessageUpdates, { params: params(place) })
        return data.message && part(data.message, 'table')?.rows
      })
      .toEqual([['30']])
  })
})

describe('business context', () => {
  test('gives other words for a column', async () => {
    const body = {
      kind: 'synonym' as const,
      name: 'country',
      text: 'homeland, origin land',
      project_trellis_code: project,
    }
    const createdResponse = await owner.call(projects.createBusinessContext, { params: params(), body })
    expect(createdResponse.status).toBe(200)
    const { message } = await ask('number of customers by homeland')
    expect(part(message, 'table')?.columns[0]?.name).toBe('country')
  })

  test('a label of a table is another word for it', async () => {
    const body = { name: 'Shoppers', color: 'blue' as const }
    const { data } = await owner.call(labels.createLabel, { params: params(), body })
    const labelled = { ...workspace.database, schema_name: 'data', table_name: 'customers', label_ids: [data.id] }
    expect((await owner.call(labels.setTableLabels, { params: params(), body: labelled })).status).toBe(200)
    const { message } = await ask('how many shoppers')
    expect(part(message, 'table')?.rows).toEqual([['30']])
  })

  test('answers a verified question with its query', async () => {
    const sql = 'select count(*) as whales from orders where amount > 190'
    const body = {
      kind: 'verified_question' as const,
      name: 'How many whales do we have?',
      sql,
      project_trellis_code: project,
    }
    expect((await owner.call(projects.createBusinessContext, { params: params(), body })).status).toBe(200)
    const { message } = await ask('how many whales do we have')
    expect(part(message, 'engine')?.engine).toBe('verified')
    expect(part(message, 'table')?.rows).toEqual([['10']])
  })

  test.each(['delete from orders', 'select * from data.salaries', 'select missing from orders'])(
    'refuses to verify %s',
    async (sql) => {
      const body = { kind: 'verified_question' as const, name: 'Bad one', sql, project_trellis_code: project }
      const answer = await owner.call(projects.createBusinessContext, { params: params(), body })
      expect(answer.status).toBe(400)
    },
  )
})

describe('conversations', () => {
  test('are named after the first question, renamed, searched, rated and deleted', async () => {
    const { message, conversation_trellis_code } = await ask('how many orders in March 2025')
    const place = { conversation_trellis_code }
    const listedResponse = await owner.call(calls.listConversations, {
      params: params(),
      query: { search: 'orders in March' },
    })
    expect(listedResponse.data.items.map(({ name }) => name)).toContain('how many orders in March 2025')
    await owner.call(calls.renameConversation, { params: params(place), body: { name: 'March' } })
    const wholeResponse = await owner.call(calls.getConversation, { params: params(place) })
    expect(wholeResponse.data).toMatchObject({ name: 'March', message_count: 2 })
    const rated = { message_trellis_code: message.message_trellis_code }
    const body = { rating: 'down' as const, reasons: ['wrong_numbers' as const], comment: 'Check the date' }
    await owner.call(calls.rateMessage, { params: params(rated), body })
    expect((await owner.call(calls.getMessageFeedback, { params: params(rated) })).data).toEqual(body)
    expect((await owner.call(calls.deleteConversation, { params: params(place) })).status).toBe(200)
    expect((await owner.call(calls.getConversation, { params: params(place) })).status).toBe(404)
  })

  test('belong to one person: another gets the same 404 as for nothing', async () => {
    const { message, conversation_trellis_code } = await ask('how many customers')
    const rated = { message_trellis_code: message.message_trellis_code }
    expect((await viewer.call(calls.getConversation, { params: params({ conversation_trellis_code }) })).status).toBe(
      404,
    )
    expect((await viewer.call(calls.getMessageFeedback, { params: params(rated) })).status).toBe(404)
  })

  test('a viewer may ask, and may not choose tables', async () => {
    const { message } = await ask('how many customers', { client: viewer })
    expect(part(message, 'table')?.rows).toEqual([['30']])
    const place = { project_trellis_code: project, integration_trellis_code: workspace.integrationCode }
    const answer = await viewer.call(projects.updateAiProjectTables, { params: params(place), body: { tables: [] } })
    expect(answer.status).toBe(403)
  })
})
