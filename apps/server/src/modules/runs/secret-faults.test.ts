import { Writable } from 'node:stream'
import type { Connector } from '@trellis/connector-kit/connector'
import { ConnectorError } from '@trellis/connector-kit/connector-error'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { updateDataflow } from '@trellis/contract/dataflows/dataflows.endpoints'
import { createIntegration } from '@trellis/contract/integrations/integrations.endpoints'
import * as calls from '@trellis/contract/runs/runs.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../platform/logger.ts'
import { readBody, closeServers, startWeb } from '../../platform/safe-http/testing/local-servers.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { handleSendWebhook } from '../dataflows/alerts/alerts.handler.ts'
import { type TestFlows, testFlows, writeTo } from '../dataflows/testing/flows.ts'
import { sampleConnector } from '../integrations/testing/sample-connector.ts'
import { type RunWorker, startRunWorker } from './run-worker.service.ts'

const SECRET = 'Pl4nted/pass word&7z'
const lines: string[] = []
const log = createLogger({
  level: 'debug',
  role: 'test',
  destination: new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  }),
})

const getPassword = ({ values }: ConnectorContext) => String(values['server']?.['password'])
const basic = (secret: string) => `Basic ${Buffer.from(`reader:${secret}`).toString('base64')}`

const FAULTS: Record<string, (secret: string) => Error> = {
  refused: (secret) =>
    new ConnectorError('configuration', `No: postgres://reader:${encodeURIComponent(secret)}@db.example.com/shop`, {
      advice: `Is "${secret}" right?`,
    }),
  away: (secret) => new ConnectorError('transient', `authorization: Bearer ${secret}`, { cause: new Error(secret) }),
  ours: (secret) => new ConnectorError('system', `authorization: ${basic(secret)}`, { cause: new Error(secret) }),
  unexpected: (secret) =>
    Object.assign(new TypeError(`can't read ${secret}`, { cause: new Error(basic(secret)) }), {
      config: { password: secret, url: `https://x/?key=${encodeURIComponent(secret)}` },
    }),
}
let fault = 'refused'
const told: string[] = []

async function leak(context: ConnectorContext): Promise<never> {
  const secret = getPassword(context)
  context.log('WARNING', `The server db.example.com says: ${JSON.stringify({ secret, auth: basic(secret) })}`)
  throw FAULTS[fault]?.(secret) ?? new Error('unknown')
}

const leaky = (): Connector => {
  const sample = sampleConnector('leaky', async () => [])
  return {
    ...sample,
    tags: ['source', 'destination'],
    source: { ...sample.source, read: leak } as unknown as NonNullable<Connector['source']>,
    destination: { queryFormas: [], strategies: ['Append'], open: leak },
  }
}

let app: TestApp
let flows: TestFlows
let worker: RunWorker
let blocks: Record<string, string>

beforeAll(async () => {
  const webhook = await startWeb('127.0.0.1', async (request, response) => {
    told.push(await readBody(request))
    response.end()
  })
  app = await startTestApp({
    settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_LOG_LEVEL: 'debug' },
    connectors: [leaky()],
    log,
  })
  flows = await testFlows(app)
  const flow = await flows.dataflow('Daily')
  const alerts = {
    emails: ['team@example.com'],
    webhook_url: webhook,
    on_failure: true,
    on_recovery: false,
    on_later_than_usual: false,
  }
  await flows.call(updateDataflow, { params: { relative_trellis_code: flow }, body: { alerts } })
  const values = { server: { host: 'db.example.com', password: SECRET } }
  const createdResponse = await flows.call(createIntegration, {
    body: { platform_trellis_code: 'leaky', name: 'Leaky', values },
  })
  const integration = createdResponse.data.integration_trellis_code
  await app.database.pool.query("update integrations set state = 'ACTIVE', validation = 'COMPLETED_SUCCESS'")
  await flows.workspace.sql('create table data.goods as select 1 as id')
  const query = { query: { table: 'orders' } }
  const common = { integration_trellis_code: integration, attempts: 1 }
  const subtasks = [{ name: 'orders', query, is_incremental: false, write: writeTo('orders') }]
  blocks = {
    source: await flows.source(flow, 'Read', { ...common, subtasks }),
    destination: await flows.destination(flow, 'Send', {
      ...common,
      input: { schema_name: 'data', table_name: 'goods' },
      query: {},
      strategy: 'Append',
    }),
  }
  for (const block of Object.values(blocks)) {
    const { status, text } = await flows.publish(block)
    if (status !== 200) throw new Error(text)
  }
  const limits = { total: 4, perWorkspace: 4, perCredential: 4, sessionsPerWorkspace: 50 }
  worker = startRunWorker({ ctx: app.ctx, url: app.database.url, limits })
})
afterAll(async () => {
  await worker.stop({ graceMs: 0 })
  await flows.workspace.remove()
  await app.close()
  await closeServers()
})

async function fail(block: string | undefined): Promise<{ id: number; code: string; text: string }> {
  const { data, status, text } = await flows.call(calls.executeBlock, {
    params: { task_block_trellis_code: block },
    body: {},
  })
  expect(status, text).toBe(200)
  const params = { task_run_trellis_code: data.task_run_trellis_code }
  for (;;) {
    const run = await flows.call(calls.getTaskRun, { params })
    if (['FAILED', 'EXCEPTION'].includes(run.data.status)) {
      const { rows } = await app.database.pool.query<{ id: number }>(
        'select id from task_runs where trellis_code = $1',
        [params.task_run_trellis_code],
      )
      const shownResponse = await flows.call(calls.getTaskRunLogs, { params })
      return { id: rows[0]?.id ?? 0, code: params.task_run_trellis_code, text: run.text + shownResponse.text }
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

const spelled = [
  SECRET,
  JSON.stringify(SECRET).slice(1, -1),
  encodeURIComponent(SECRET),
  Buffer.from(`reader:${SECRET}`).toString('base64').slice(12, -4),
]
const leaks = (text: string) => spelled.filter((form) => text.includes(form))

test.each(Object.keys(FAULTS).flatMap((name) => ['source', 'destination'].map((kind) => [name, kind] as const)))(
  'what a system repeats of its secret is in nothing that is shown, sent or logged: %s, %s',
  async (name, kind) => {
    fault = name
    lines.length = 0
    told.length = 0
    await app.database.pool.query('delete from mail_outbox')
    await app.database.pool.query('delete from sent_alerts')
    const run = await fail(blocks[kind])
    expect(leaks(run.text), 'problem and log of the run').toEqual([])
    expect(run.text).toContain('The server db.example.com says')
    await handleSendWebhook(app.ctx, { run_id: run.id, kind: 'failure' })
    expect(told).toHaveLength(1)
    expect(leaks(told.join('')), 'webhook').toEqual([])
    for (;;) {
      const mails = await app.database.db.selectFrom('mail_outbox').select(['subject', 'text', 'html']).execute()
      if (mails.length > 0) {
        expect(leaks(JSON.stringify(mails)), 'mail').toEqual([])
        break
      }
      await new Promise((resolve) => setTimeout(resolve, 15))
    }
    expect(leaks(lines.join('')), 'log of the worker').toEqual([])
    if (name === 'unexpected') expect(lines.join('')).toContain("can't read •••")
    const { rows } = await app.database.pool.query<{ line: string }>(
      `select r::text as line from task_runs r union all select a::text from task_run_attempts a
        union all select l::text from task_run_logs l union all select s::text from sent_alerts s`,
    )
    expect(leaks(rows.map(({ line }) => line).join('\n')), 'the control database').toEqual([])
  },
)
