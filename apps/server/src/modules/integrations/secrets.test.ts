import { Writable } from 'node:stream'
import { inspect } from 'node:util'
import type { Connector } from '@trellis/connector-kit/connector'
import { CONNECTORS } from '@trellis/connectors/registry'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { ssoCallback } from '@trellis/contract/identity/identity.endpoints'
import * as canvas from '@trellis/contract/integrations/canvas-sources.endpoints'
import * as calls from '@trellis/contract/integrations/integrations.endpoints'
import type { DestinationSettings, SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import { NO_TRIGGER } from '@trellis/contract/dataflows/triggers'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { listAudit } from '@trellis/contract/audit/audit.endpoints'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLogger } from '../../platform/logger.ts'
import { createSafeHttp } from '../../platform/safe-http/safe-http.ts'
import { readBody, closeServers, startRude, startWeb } from '../../platform/safe-http/testing/local-servers.ts'
import { writeStep } from '../../testing/load-runs.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { CallInput } from '../../testing/test-client.ts'
import { createWork } from '../../testing/work-runs.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { runDestination } from '../runs/work/destination.ts'
import { RunFault } from '../runs/runner/run-work.ts'
import { runSource } from '../runs/work/source.ts'
import { runChecks } from './testing/checks.ts'
import { queryValues, setupValues } from './testing/registry-values.ts'

let app: TestApp
let workspace: ReadyWorkspace
const planted: string[] = []
/** All responses and log lines. */
const seen: string[] = []
const log = createLogger({
  level: 'debug',
  role: 'test',
  destination: new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      seen.push(chunk.toString())
      done()
    },
  }),
})

function plant(name: string): string {
  const secret = `planted${planted.length}x${name.replaceAll(/\W/g, '')}Q7z`
  planted.push(secret)
  return secret
}

beforeAll(async () => {
  /** A careless platform that echoes everything in its errors. */
  const echo = await startWeb('127.0.0.2', async (request, response) => {
    const told = { url: request.url, headers: request.headers, body: await readBody(request) }
    const isToken = /token/.test(request.url ?? '')
    const tokens = { access_token: plant('given access'), refresh_token: plant('given refresh'), expires_in: 3600 }
    response
      .writeHead(isToken ? 200 : 400, { 'content-type': 'application/json', 'x-told': JSON.stringify(request.headers) })
      .end(JSON.stringify(isToken ? tokens : { error: { message: JSON.stringify(told), ...told } }))
  })
  const port = await startRude('127.0.0.2')
  const real = createSafeHttp({ allowPrivateHosts: false, allowList: ['127.0.0.2'] })
  app = await startTestApp({
    settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_LOG_LEVEL: 'debug' },
    log,
    http: {
      fetch: async (url, init) => {
        const { pathname, search } = new URL(url)
        return await real.fetch(`${echo}${pathname}${search}`, init)
      },
      connectSocket: async () => await real.connectSocket({ host: '127.0.0.2', port }),
      close: async () => await real.close(),
    },
  })
  workspace = await makeReadyWorkspace(app)
  await workspace.sql('create table data.goods as select 1 as id')
})
afterAll(async () => {
  await workspace.remove()
  await app.ctx.ports.http.close()
  await app.close()
  await closeServers()
})

async function ask(endpoint: Endpoint, input: CallInput = {}) {
  const params = { ...workspace.tenant, ...input.params }
  const answer = await workspace.account.owner.call(endpoint, { ...input, params })
  seen.push(answer.text, JSON.stringify([...answer.headers]))
  return answer
}

/** As source and destination. */
async function runBoth(connector: Connector, id: string, query: FormaValues): Promise<void> {
  const place = { app, workspace }
  const common = { trigger: NO_TRIGGER, attempts: 1, most_minutes: 5, integration_trellis_code: id }
  const write = writeStep({ table_name: connector.code })
  const subtasks = [{ name: 'orders', query, is_incremental: false, write }]
  const input = { schema_name: 'data', table_name: 'goods' }
  const sentTo = queryValues(connector.destination?.queryFormas ?? [], entered)
  const runs = [
    connector.source && createWork<SourceSettings>(place, runSource, { ...common, subtasks }),
    connector.destination &&
      createWork<DestinationSettings>(place, runDestination, {
        ...common,
        input,
        query: sentTo,
        strategy: 'Append',
        dataModel: null,
      }),
  ]
  for (const run of runs) {
    if (!run) continue
    const fault = await run.run().catch((error: unknown) => error)
    expect(fault instanceof RunFault, inspect(fault)).toBe(connector.code !== 'sample_data')
    seen.push(inspect(fault, { depth: 8 }), ...run.lines)
  }
}

const entered = { host: 'db.example.com', port: 5432, createSecret: plant }

test.each(
  CONNECTORS.filter(({ usesOwnDatabase }) => !usesOwnDatabase).map((connector) => [connector.code, connector] as const),
)('whatever is asked of %s, its secrets stay inside', async (code, connector) => {
  const values = setupValues(connector, entered)
  const body = { platform_trellis_code: code, name: code, values }
  const createdResponse = await ask(calls.createIntegration, { body, headers: { 'idempotency-key': `once-${code}` } })
  expect(createdResponse.status, createdResponse.text).toBe(200)
  const { integration_trellis_code: id } = createdResponse.data as { integration_trellis_code: string }
  const params = { integration_trellis_code: id, id }
  await ask(calls.createIntegration, { body, headers: { 'idempotency-key': `once-${code}` } })
  await ask(calls.updateIntegration, { params, body: { version: 1, values: setupValues(connector, entered) } })
  await runChecks(app)
  const query = queryValues(connector.source?.queryFormas ?? [], entered)
  for (const endpoint of [calls.getIntegration, calls.describeIntegration, calls.getValidationStatus]) {
    await ask(endpoint, { params })
  }
  await ask(calls.listIntegrations)
  await ask(calls.getPostgresSchema, { params })
  await ask(calls.previewSource, { params, body: { values: query } })
  await ask(canvas.getSourceDataModel, { params, query: { subtask_name: 'orders' } })
  await ask(canvas.validateGaql, { params, body: { query: 'SELECT campaign.id FROM campaign' } })
  const linkedResponse = await ask(calls.linkIntegration, { params, body: { integration_trellis_code: id } })
  const { url } = (linkedResponse.data ?? {}) as { url?: string }
  if (url) {
    const state = new URL(url).searchParams.get('state') ?? ''
    await ask(ssoCallback, { query: { state, code: plant('code') } })
    await runChecks(app)
  }
  for (const options of ['customers', 'accounts', 'streams', 'properties']) {
    await ask(calls.listIntegrationOptions, { params, query: { options } })
  }
  await runBoth(connector, id, query)
  const manifest = values['source']?.['manifest'] as { streams: { name: string }[] } | undefined
  if (manifest) {
    const trial = { manifest, values, stream: manifest.streams[0]?.name }
    const answer = await ask(calls.tryRestSource, { body: { ...trial, integration_trellis_code: id } })
    expect(answer.status, answer.text).toBe(200)
  }
})

test('30 planted secrets and more are seen nowhere: answers, log, trail, the whole control database', async () => {
  expect(planted.length).toBeGreaterThanOrEqual(30)
  await ask(listAudit)
  const { rows } = await app.database.pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')
        and has_table_privilege(format('%I.%I', schemaname, tablename), 'select')`,
  )
  for (const { name } of rows) {
    const table = await app.database.pool.query<{ line: string }>(`select t::text as line from ${name} t`)
    seen.push(...table.rows.map(({ line }) => line))
  }
  expect(rows.length).toBeGreaterThan(30)
  const everything = seen.join('\n')
  const spelled = planted.flatMap((secret) => [secret, Buffer.from(secret).toString('base64').slice(0, -4)])
  expect(spelled.filter((secret) => everything.includes(secret))).toEqual([])
  expect(everything, 'the search sees what is there').toContain('db.example.com')
})
