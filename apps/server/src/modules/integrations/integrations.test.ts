import { get } from 'node:http'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import * as canvas from '@trellis/contract/integrations/canvas-sources.endpoints'
import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import * as platforms from '@trellis/contract/integrations/platforms.endpoints'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { runChecks } from './testing/checks.ts'
import { sampleConnector } from './testing/sample-connector.ts'
import { handleClearIntegrations, handleValidate } from './validate.handler.ts'

let app: TestApp
let workspace: ReadyWorkspace
const working = async () => [{ label: 'Version', value: '16.2' }]
let behave: (context: ConnectorContext) => Promise<{ label: string; value: string }[]> = working

const sample = sampleConnector('sample_for_tests', (context) => behave(context))

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' }, connectors: [sample] })
  workspace = await makeReadyWorkspace(app)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})
beforeEach(() => {
  behave = working
})

const call: TestApp['client'] extends () => infer C ? (C extends { call: infer F } ? F : never) : never = (
  endpoint,
  input = {},
) => workspace.account.owner.call(endpoint, { ...input, params: { ...workspace.tenant, ...input.params } })

const VALUES = { server: { host: 'db.example.com', password: 'a planted secret' } }

async function create(values: object = VALUES, name = 'Shop') {
  const body = { platform_trellis_code: sample.code, name, values }
  const { data, status, text } = await call(calls.createIntegration, { body })
  expect(status, text).toBe(200)
  return data
}
const at = (made: { integration_trellis_code: string }) => ({
  integration_trellis_code: made.integration_trellis_code,
})
const read = async (made: { integration_trellis_code: string }) =>
  (await call(calls.getIntegration, { params: at(made) })).data
const status = async (made: { integration_trellis_code: string }) =>
  (await call(calls.getValidationStatus, { params: at(made) })).data

test('the catalogue tells what can be connected', async () => {
  const all = await call(platforms.listPlatforms)
  expect(all.data).toContainEqual(
    expect.objectContaining({ platform_trellis_code: sample.code, kinds: ['Extraction', 'Database'] }),
  )
  const tagged = await call(platforms.listPlatforms, { query: { tags: 'database,destination' } })
  expect(tagged.data.map((item) => item.platform_trellis_code)).not.toContain(sample.code)
  const params = { platform_trellis_code: sample.code }
  expect((await call(platforms.getPlatform, { params })).data).toMatchObject({ oauth: null, name: sample.name })
  expect((await call(platforms.getSetupForma, { params })).data.forma).toEqual(sample.setupForma)
  expect((await call(platforms.getPlatform, { params: { platform_trellis_code: 'nothing' } })).status).toBe(404)
})

test('settings that are complete are checked by themselves, and what was found is kept', async () => {
  const made = await create()
  expect(made).toMatchObject({
    state: 'VALIDATING',
    validation: 'VALIDATING',
    values: { server: { host: 'db.example.com' } },
    secrets_set: ['server.password'],
    version: 1,
  })
  await runChecks(app)
  expect(await status(made)).toMatchObject({
    status: 'COMPLETED_SUCCESS',
    state: 'ACTIVE',
    problem: null,
    found: [{ label: 'Version', value: '16.2' }],
  })
})

test('the connector gets the settings with their secrets', async () => {
  const seen: unknown[] = []
  behave = async ({ values }) => {
    seen.push(values)
    return []
  }
  await create()
  await runChecks(app)
  expect(seen).toContainEqual(VALUES)
})

test('what is missing waits, what is wrong is refused, what is unknown is dropped', async () => {
  const made = await create({ server: { host: 'db.example.com', nonsense: 1 }, other: { x: 1 } })
  expect(made).toMatchObject({ state: 'SETUP', validation: null, values: { server: { host: 'db.example.com' } } })
  expect(JSON.stringify(made)).not.toContain('nonsense')
  const check = await call(calls.validateIntegration, { params: at(made) })
  expect(check.errors[0]).toMatchObject({ code: 'integration_incomplete', detail: 'Fill in Password first.' })
  const body = { platform_trellis_code: sample.code, name: 'x', values: { server: { host: 7 } } }
  const wrong = await call(calls.createIntegration, { body })
  expect(wrong.errors[0]).toMatchObject({ code: 'invalid_request', source: { pointer: '/values/server/host' } })
  const large = { ...body, values: { server: { host: 'x'.repeat(600_000) } } }
  expect((await call(calls.createIntegration, { body: large })).errors[0]?.code).toBe('invalid_request')
})

test('a change keeps the secrets that are left out, takes those that are null, and is checked again', async () => {
  const made = await create()
  await runChecks(app)
  const change = (values: object | undefined, version: number, more: object = {}) =>
    call(calls.updateIntegration, { params: at(made), body: { values, version, ...more } })
  const renamedResponse = await change(undefined, 1, { name: 'Renamed' })
  expect(renamedResponse.data).toMatchObject({ name: 'Renamed', state: 'ACTIVE', version: 2 })
  const same = await change({ server: { host: 'db.example.com' } }, 2)
  expect(same.data, 'nothing changed').toMatchObject({ state: 'ACTIVE', secrets_set: ['server.password'] })
  const elsewhere = await change({ server: { host: 'other.example.com' } }, 3)
  expect(elsewhere.errors[0], 'a kept secret goes to no other address').toMatchObject({
    code: 'invalid_request',
    source: { pointer: '/values/server/password' },
  })
  const again = VALUES.server.password
  const movedResponse = await change({ server: { host: 'other.example.com', password: again } }, 3)
  expect(movedResponse.data).toMatchObject({ state: 'VALIDATING', secrets_set: ['server.password'] })
  expect((await change(undefined, 3, { name: 'Late' })).errors[0]?.code).toBe('conflict')
  const emptied = await change({ server: { host: 'other.example.com', password: null } }, 4)
  expect(emptied.data).toMatchObject({ state: 'SETUP', secrets_set: [], validation: null })
  const { data } = await call(calls.describeIntegration, { params: at(made) })
  expect(data.history.map(({ what }) => what)).toEqual([
    'Settings changed: Password',
    'Settings changed: Host',
    'Renamed from "Shop" to "Renamed"',
    'Checked: it works',
    'Created as "Shop" for Sample system',
  ])
  expect(data.settings).toEqual([{ label: 'Host', value: 'other.example.com' }])
})

test('a failed check says what to mend, without the secret', async () => {
  behave = async ({ values }) => {
    throw new ConnectorError('configuration', `Wrong password "${String(values['server']?.['password'])}".`, {
      advice: 'Compare it.',
      field: 'server.password',
    })
  }
  const made = await create()
  await runChecks(app)
  const ended = await status(made)
  expect(ended).toMatchObject({ status: 'COMPLETED_ERROR', state: 'ERROR' })
  expect(ended.problem).toEqual({
    kind: 'configuration',
    message: 'Wrong password "•••".',
    advice: 'Compare it.',
    field: 'server.password',
  })
})

test('a check that is deaf ends at its deadline', async () => {
  behave = () => new Promise(() => undefined)
  const made = await create()
  await runChecks(app, { deadlineMs: 50 })
  expect((await status(made)).problem).toMatchObject({ kind: 'transient' })
})

test('an older check never overwrites a newer one', async () => {
  const made = await create()
  const row = await app.database.db
    .selectFrom('integrations')
    .select(['id', 'validation_number'])
    .where('trellis_code', '=', made.integration_trellis_code)
    .executeTakeFirstOrThrow()
  const entered = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  behave = async () => {
    entered.resolve()
    await held.promise
    return [{ label: 'Version', value: 'old' }]
  }
  const old = handleValidate(
    app.ctx,
    { integration_id: row.id, number: row.validation_number },
    { signal: new AbortController().signal, isLastAttempt: true },
  )
  await entered.promise
  await call(calls.validateIntegration, { params: at(made) })
  behave = async () => [{ label: 'Version', value: 'new' }]
  await runChecks(app)
  held.resolve()
  await old
  expect((await status(made)).found).toEqual([{ label: 'Version', value: 'new' }])
})

test('an unexpected fault is tried again and ends in words of ours', async () => {
  behave = async () => {
    throw new TypeError('a planted secret is not a function')
  }
  const made = await create()
  await expect(runChecks(app, { isLastAttempt: false })).rejects.toThrow('••• is not a function')
  expect((await status(made)).status).toBe('VALIDATING')
  await runChecks(app)
  expect((await status(made)).problem).toMatchObject({ kind: 'system' })
})

test('a check whose worker was lost is ended', async () => {
  const made = await create()
  const old = new Date(Date.now() - 3600_000)
  await app.database.db
    .updateTable('integrations')
    .set({ validation_started_at: old })
    .where('trellis_code', '=', made.integration_trellis_code)
    .execute()
  await handleClearIntegrations(app.ctx)
  expect(await status(made)).toMatchObject({ status: 'COMPLETED_ERROR', state: 'ERROR' })
})

test('deleting takes the secrets away at once', async () => {
  const made = await create()
  expect((await call(calls.deleteIntegration, { params: at(made) })).status).toBe(200)
  expect((await call(calls.getIntegration, { params: at(made) })).status).toBe(404)
  const row = await app.database.db
    .selectFrom('integrations')
    .select(['state', 'secrets', 'validation'])
    .where('trellis_code', '=', made.integration_trellis_code)
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ state: 'ARCHIVED', secrets: null, validation: null })
})

test('the database of the workspace is there, and is neither changed nor deleted', async () => {
  const { data } = await call(calls.listIntegrations)
  const own = data.find(({ is_managed }) => is_managed)
  expect(own).toMatchObject({ ...workspace.database, state: 'ACTIVE' })
  const params = workspace.database
  expect((await call(calls.updateIntegration, { params, body: { version: 1, name: 'x' } })).errors[0]?.code).toBe(
    'forbidden',
  )
  expect((await call(calls.deleteIntegration, { params })).errors[0]?.code).toBe('forbidden')
  await workspace.sql('create table data.orders (id int)')
  const schema = await call(canvas.getTransformationSchema, { params: { id: params.integration_trellis_code } })
  expect(schema.data.schemas).toContainEqual(
    expect.objectContaining({ name: 'data', tables: [{ name: 'orders', kind: 'table', rows: null }] }),
  )
})

test('the tables of the workspace are a source like any other, read by a login that can only read', async () => {
  await workspace.sql('create table data.read_me (id int primary key)', 'insert into data.read_me values (1), (2)')
  const values = { query: { kind: 'table', table: { schema: 'data', table: 'read_me' } } }
  const { data, text } = await call(calls.previewSource, { params: workspace.database, body: { values } })
  expect(data?.rows, text).toEqual([['1'], ['2']])
  const schemas = await call(calls.getPostgresSchema, { params: workspace.database })
  expect(schemas.data.schemas.map(({ name }) => name)).toContain('data')
  const sql = { query: { kind: 'sql', sql: 'delete from data.read_me' } }
  expect((await call(calls.previewSource, { params: workspace.database, body: { values: sql } })).status).not.toBe(200)
  expect(await workspace.sql('select count(*) from data.read_me')).toEqual([['2']])
})

test('a sample of real rows with statistics, keys and cursors', async () => {
  const made = await create()
  const { data, text } = await call(calls.previewSource, {
    params: at(made),
    body: { values: { query: { table: 'orders' } }, rows: 3 },
  })
  expect(data.rows, text).toEqual([
    ['1', '2026-01-02', 'a'],
    ['2', '2026-01-01', null],
    ['3', '2026-01-03', 'x\ty'],
  ])
  expect(data).toMatchObject({
    is_cut: false,
    declared_keys: ['Order id'],
    candidate_keys: [['day'], ['Order id']],
    candidate_cursors: ['day', 'Order id'],
    data_model: {
      fields: { 'Order id': 'integer', day: 'date', note: 'text' },
      column_mapping: { 'Order id': 'order_id', day: 'day', note: 'note' },
      primary_keys: ['Order id'],
      indexes: { day: 'btree' },
    },
  })
  expect(data.columns[2]).toMatchObject({ nulls: 1, distinct: 2, smallest: 'a', largest: 'x\ty', can_be_key: false })
  const cut = await call(calls.previewSource, {
    params: at(made),
    body: { values: { query: { table: 'orders' } }, rows: 2 },
  })
  expect(cut.data).toMatchObject({ is_cut: true, rows: [{}, {}] })
  const none = await call(calls.previewSource, { params: at(made), body: { values: { query: { table: 'none' } } } })
  expect(none.errors[0]).toMatchObject({ code: 'integration_problem', detail: 'There is no table "none".' })
  const empty = await call(calls.previewSource, { params: at(made), body: { values: { query: {} } } })
  expect(empty.errors[0]).toMatchObject({ code: 'invalid_request', detail: 'Table: Required field' })
})

test('choices, tables, formas, data model and verdicts', async () => {
  const made = await create()
  const id = made.integration_trellis_code
  const options = await call(calls.listIntegrationOptions, { params: at(made), query: { options: 'a', search: 'b' } })
  expect(options.data).toEqual([{ value: 'a:b', label: 'a' }])
  expect((await call(calls.getPostgresSchema, { params: at(made) })).data.schemas[0]?.tables[0]?.name).toBe('orders')
  expect((await call(canvas.getSourceFormas, { params: { id } })).data.formas).toHaveLength(1)
  expect((await call(canvas.getDestinationFormas, { params: { id } })).status).toBe(404)
  const model = await call(canvas.getSourceDataModel, { params: { id }, query: { subtask_name: 'orders' } })
  expect(model.data.primary_keys).toEqual(['Order id'])
  const judge = async (query: string) => (await call(canvas.validateGaql, { params: { id }, body: { query } })).data
  expect(await judge('SELECT x')).toEqual({ did_succeed: true, message: 'judged here' })
  expect(await judge('DROP')).toMatchObject({ did_succeed: false })
  const mine = await call(canvas.listSourceIntegrations, { params: { id: sample.code } })
  expect(mine.data.map((item) => item.integration_trellis_code)).toContain(id)
  expect((await call(canvas.listDestinationIntegrations, { params: { id: sample.code } })).status).toBe(404)
  expect((await call(canvas.listSourcePlatforms)).data.map((item) => item.platform_trellis_code)).toContain(sample.code)
})

test('what is not complete can not be asked', async () => {
  const made = await create({ server: {} })
  const answer = await call(calls.getPostgresSchema, { params: at(made) })
  expect(answer.errors[0]).toMatchObject({ code: 'integration_incomplete' })
})

test('a caller who goes away ends the work', async () => {
  const made = await create()
  const ended = Promise.withResolvers<void>()
  const entered = Promise.withResolvers<void>()
  behave = (context) =>
    new Promise((_, reject) => {
      entered.resolve()
      context.signal.addEventListener('abort', () => {
        ended.resolve()
        reject(new Error('aborted'))
      })
    })
  const path = `/api/${workspace.tenant.account_trellis_code}/${workspace.tenant.workspace_address}/integrations/postgres_schema/${made.integration_trellis_code}`
  const headers = { authorization: `Bearer ${workspace.account.owner.token}` }
  const request = get(`${app.url}${path}`, { headers, agent: false }).on('error', () => undefined)
  await entered.promise
  request.destroy()
  await ended.promise
})

test('one account has only so many questions under way', async () => {
  const made = await create()
  const ask = async () =>
    (await call(calls.listIntegrationOptions, { params: at(made), query: { options: 'x' } })).status
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const asked: Promise<number>[] = []
  for (let count = 0; count < 10; count += 1) {
    await new Promise<void>((begun) => {
      behave = async () => {
        begun()
        await held
        return []
      }
      asked.push(ask())
    })
  }
  expect(await ask(), 'the next is refused while the others wait').toBe(429)
  answer()
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]))
  expect(await ask()).toBe(200)
})

test('the trail tells in words what was done', async () => {
  const made = await create()
  const { rows } = await app.database.pool.query<{ action: string; detail: object }>(
    `select action, detail from audit_lines where detail->>'integration' = $1`,
    [made.integration_trellis_code],
  )
  expect(rows).toEqual([
    {
      action: 'createIntegration',
      detail: {
        integration: made.integration_trellis_code,
        name: 'Shop',
        what: 'Created as "Shop" for Sample system',
      },
    },
  ])
  expect((await read(made)).created_by).toBe('Test Person')
})
