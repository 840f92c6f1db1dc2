import { get } from 'node:http'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import * as explorer from '@trellis/contract/explorer/explorer.endpoints'
import * as labels from '@trellis/contract/explorer/labels.endpoints'
import * as rows from '@trellis/contract/explorer/rows.endpoints'
import * as integrations from '@trellis/contract/integrations/integrations.endpoints'
import * as uploads from '@trellis/contract/uploads/uploads.endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson, makeAccount } from '../../testing/accounts.ts'
import { type OutsideDatabase, connectOutside, makeOutsideDatabase } from '../../testing/sources/outside-database.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'

let app: TestApp
let workspace: ReadyWorkspace
let outside: OutsideDatabase
let code: string
let client: TestClient

beforeAll(async () => {
  app = await startTestApp({
    hasWorker: true,
    settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_RATE_LIMITS: 'off' },
  })
  workspace = await makeReadyWorkspace(app)
  client = workspace.account.owner
  outside = await makeOutsideDatabase()
  await outside.sql(`
    create table public.customers (id int primary key, email text, note text);
    comment on table public.customers is 'Theirs.';
    insert into public.customers select n, n || '@example.com', repeat('x', n * 10) from generate_series(1, 700) n;
    create schema shop;
    create table shop.orders (id int primary key, customer_id int references public.customers, is_paid boolean);
    insert into shop.orders select n, n, n % 2 = 0 from generate_series(1, 300) n;
    create view shop.recent as select * from shop.orders;
    create schema hidden; create table hidden.salaries (id int);
    create schema trellis_of_theirs; grant usage on schema trellis_of_theirs to public;
    grant usage on schema shop to public;
    grant select on all tables in schema shop, public to public;
    revoke all on schema hidden from public;
    analyze`)
  code = await connectOutside(client, workspace.tenant, outside)
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
  await outside.drop()
})

const at = (schema_name?: string, table_name?: string) => ({
  ...workspace.tenant,
  integration_trellis_code: code,
  schema_name,
  table_name,
})
const table = (schema_name: string, table_name: string) => ({
  integration_trellis_code: code,
  schema_name,
  table_name,
})

describe('looking into a connected database', () => {
  test('it stands beside the one of the workspace', async () => {
    const { data } = await client.call(explorer.listDatabases, { params: workspace.tenant })
    expect(data.map(({ integration_trellis_code, kind }) => [integration_trellis_code, kind])).toEqual([
      [workspace.integrationCode, 'managed'],
      [code, 'integration'],
    ])
    const information = await client.call(explorer.getDatabaseInformation, { params: at() })
    expect(information.data).toMatchObject({ name: 'Warehouse', kind: 'integration', state: 'online' })
    expect(information.data.size_bytes).toBeGreaterThan(1_000_000)
    expect(information.data.schemas.map(({ name }) => name)).toEqual(['public', 'shop', 'trellis_of_theirs'])
  })

  test('schemas, tables, details, search and what depends', async () => {
    expect((await client.call(explorer.listSchemas, { params: at() })).data).toContain('public')
    const { data } = await client.call(explorer.listTables, { params: at('shop') })
    expect(data.items.map(({ name, kind }) => [name, kind])).toEqual([
      ['orders', 'table'],
      ['recent', 'view'],
    ])
    const details = await client.call(explorer.getTableDetails, { params: at('public', 'customers') })
    expect(details.data).toMatchObject({
      description: 'Theirs.',
      rows_estimate: 700,
      primary_key: ['id'],
      last_load: null,
      referenced_by: [{ schema_name: 'shop', table_name: 'orders' }],
    })
    const summary = await client.call(explorer.getSchemaSummary, { params: at('shop') })
    expect(summary.data).toMatchObject({ table_count: 1, view_count: 1, latest_loads: [], file_count: 0 })
    const response = await client.call(explorer.searchDatabase, { params: at(), query: { search: 'customer' } })
    expect(response.data.map(({ table_name, column_name }) => [table_name, column_name])).toEqual([
      ['customers', null],
      ['orders', 'customer_id'],
      ['recent', 'customer_id'],
    ])
    const home = await client.call(explorer.getExplorerHome, { params: workspace.tenant })
    expect(home.data.recent_tables[0]).toMatchObject(table('public', 'customers'))
  })

  test('rows page by page, filtered, counted, and a cell of its own', async () => {
    const params = at('public', 'customers')
    const first = await client.call(rows.previewTable, { params, query: { sort: 'id', limit: '400' } })
    const next = await client.call(rows.previewTable, {
      params,
      query: { sort: 'id', limit: '400', after: first.data.next ?? '' },
    })
    expect(next.data.next).toBeNull()
    const ids = [...first.data.rows, ...next.data.rows].map(({ cells }) => Number(cells[0]))
    expect(ids).toEqual(Array.from({ length: 700 }, (_, n) => n + 1))
    const filters = JSON.stringify([{ column: 'email', operator: 'contains', value: '77@' }])
    const some = await client.call(rows.previewTable, { params, query: { filters } })
    expect(some.data.rows.map(({ cells }) => cells[1])).toContain('577@example.com')
    expect((await client.call(rows.countRows, { params, query: { filters } })).data.rows).toBe(some.data.rows.length)
    const unsorted = await client.call(rows.previewTable, { params, query: { limit: '5' } })
    const key = unsorted.data.rows[0]?.key ?? ''
    const cell = await client.call(rows.getCell, { params, query: { column: 'note', key } })
    expect(cell.data.value).toMatch(/^x+$/)
  })

  test('labels are kept here, not there', async () => {
    const label = await client.call(labels.createLabel, {
      params: workspace.tenant,
      body: { name: 'Theirs', color: 'teal' },
    })
    const body = { ...table('shop', 'orders'), label_id: label.data.id }
    expect((await client.call(labels.addLabelToTable, { params: workspace.tenant, body })).status).toBe(200)
    const { data } = await client.call(explorer.listTables, { params: at('shop') })
    expect(data.items[0]?.labels).toEqual([label.data])
  })

  test.each(['csv', 'jsonl', 'parquet', 'xlsx'] as const)('its rows are exported as %s', async (format) => {
    const params = at('shop', 'orders')
    const filters = [{ column: 'is_paid', operator: 'eq', value: 'true' }]
    const started = await client.call(rows.exportTable, {
      params,
      query: { full_export: 'true' },
      body: { format, sort: 'id', filters },
    })
    expect(started.status, started.text).toBe(200)
    const job = { ...workspace.tenant, job_id: started.data.job_id }
    for (let tries = 0; ; tries += 1) {
      const { data } = await client.call(rows.getExport, { params: job })
      if (data.status === 'in_progress' && tries < 900) await new Promise((resolve) => setTimeout(resolve, 50))
      else {
        expect(data).toMatchObject({ status: 'completed', rows_written: 150, error: null })
        break
      }
    }
    if (format !== 'csv') return
    const file = await fetch(`${app.url}${path(rows.downloadExport, job)}`, { headers: headers() })
    const lines = (await file.text()).trim().split('\n')
    expect([lines[0], lines[1], lines.length]).toEqual(['id,customer_id,is_paid', '2,2,true', 151])
  })
})

const headers = () => ({ authorization: `Bearer ${client.token}` })
const path = (endpoint: Parameters<typeof toEndpointUrl>[0], params: object) =>
  Object.entries(params).reduce((so, [name, value]) => so.replace(`:${name}`, String(value)), toEndpointUrl(endpoint))

test('who looked is written down once, not for every look', async () => {
  const lines = await app.database.db
    .selectFrom('audit_lines')
    .select(['profile_id', 'detail'])
    .where('action', '=', 'integrationSeen')
    .execute()
  expect(lines).toEqual([
    {
      profile_id: workspace.account.ownerId,
      detail: expect.objectContaining({ integration: code, name: 'Warehouse' }),
    },
  ])
})

describe('nothing is changed in it', () => {
  test('what changes something is refused with a sentence', async () => {
    const params = at('shop', 'orders')
    const of = { integration_trellis_code: code }
    const answers = [
      await client.call(explorer.createSchema, { params, body: { ...of, schema_name: 'mine' } }),
      await client.call(explorer.renameSchema, { params, body: { ...of, schema_name: 'shop', new_schema_name: 'x' } }),
      await client.call(explorer.deleteSchema, { params, query: { ...of, schema_name: 'shop' } }),
      await client.call(explorer.createTable, {
        params,
        body: {
          ...of,
          schema_name: 'shop',
          table_name: 'mine',
          columns: [{ name: 'id', type: 'integer', is_nullable: true, is_primary_key: false }],
        },
      }),
      await client.call(explorer.renameTable, { params, body: { ...table('shop', 'orders'), new_table_name: 'x' } }),
      await client.call(explorer.deleteTable, { params, query: table('shop', 'orders') }),
      await client.call(explorer.setTableDescription, { params, body: { description: 'Mine.' } }),
      await client.call(uploads.listSchemaFiles, { params: at('shop') }),
      await client.call(roles.listDatabaseRoles, { params }),
      await client.call(firewall.getFirewall, { params }),
    ]
    for (const { status, errors } of answers) {
      expect([status, errors?.[0]?.detail]).toEqual([403, expect.stringContaining('connected database')])
    }
    expect(await outside.sql("select count(*)::int as n from pg_namespace where nspname = 'mine'")).toEqual([{ n: 0 }])
  })

  test('a view that writes when it is read can not, however it tries', async () => {
    await outside.sql(`
      create table public.traces (n int); grant all on public.traces to public;
      create function public.leave_trace() returns int language plpgsql volatile as $$ begin
        perform set_config('default_transaction_read_only', 'off', false);
        begin perform set_config('transaction_read_only', 'off', true); exception when others then null; end;
        insert into public.traces values (1); return 1; end $$;
      create view public.trap as select public.leave_trace() as n;
      grant select on public.trap to public`)
    const params = at('public', 'trap')
    for (let times = 0; times < 2; times += 1) {
      const answer = await client.call(rows.previewTable, { params })
      expect([answer.status, answer.errors?.[0]?.detail]).toEqual([422, expect.stringContaining('read-only')])
    }
    expect(await outside.sql('select count(*)::int as n from public.traces')).toEqual([{ n: 0 }])
  })

  test('who leaves takes the statement along', async () => {
    await outside.sql(
      'create view shop.endless as select generate_series(1, 2000000000) as n; grant select on shop.endless to public',
    )
    const asked = get(`${app.url}${path(rows.countRows, at('shop', 'endless'))}`, { agent: false, headers: headers() })
    asked.on('error', () => undefined)
    const running = async () => {
      const [found] = await outside.sql(
        "select count(*)::int as n from pg_stat_activity where application_name = 'trellis explorer' and state = 'active' and query like 'select count(*) from shop.endless%'",
      )
      return found?.['n']
    }
    await expect.poll(running).toBe(1)
    asked.destroy()
    await expect.poll(running).toBe(0)
  })
})

describe('who may look', () => {
  test('a viewer is shown none of it', async () => {
    const viewer = await joinNewPerson(app, workspace.account, {
      role: VIEW,
      workspaces: [{ workspace_trellis_code: workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: 1 }],
    })
    const { data } = await viewer.client.call(explorer.listDatabases, { params: workspace.tenant })
    expect(data.map(({ kind }) => kind)).toEqual(['managed'])
    const answer = await viewer.client.call(rows.previewTable, { params: at('public', 'customers') })
    expect(answer.status).toBe(404)
    const removedResponse = await viewer.client.call(rows.exportTable, {
      params: at('public', 'customers'),
      body: { format: 'csv' },
    })
    expect(removedResponse.status).toBe(404)
  })

  test('in another workspace or account its code is a code of nobody', async () => {
    const places = [
      await makeReadyWorkspace(app, { account: workspace.account, address: 'other' }),
      await makeReadyWorkspace(app, { account: await makeAccount(app) }),
    ]
    const shown = ({ status, text }: { status: number; text: string }) => [status, text.replaceAll(/"id":"[^"]*"/g, '')]
    for (const readyWorkspace of places) {
      const ask = async (integration_trellis_code: string) => {
        const params = {
          ...readyWorkspace.tenant,
          integration_trellis_code,
          schema_name: 'public',
          table_name: 'customers',
        }
        const ref = { integration_trellis_code, schema_name: 'public', table_name: 'customers' }
        const other = readyWorkspace.account.owner
        return [
          await other.call(explorer.listSchemas, { params }),
          await other.call(explorer.getDatabaseInformation, { params }),
          await other.call(explorer.listTables, { params }),
          await other.call(explorer.searchDatabase, { params, query: { search: 'a' } }),
          await other.call(explorer.getTableDetails, { params }),
          await other.call(explorer.getTableUsage, { params }),
          await other.call(explorer.getSchemaSummary, { params }),
          await other.call(explorer.getTableDescription, { params }),
          await other.call(rows.previewTable, { params }),
          await other.call(rows.getCell, { params, query: { column: 'id', key: 'x' } }),
          await other.call(rows.countRows, { params }),
          await other.call(rows.exportTable, { params, body: { format: 'csv' } }),
          await other.call(explorer.deleteTable, { params, query: ref }),
          await other.call(firewall.getFirewall, { params }),
        ].map((answer) => shown(answer))
      }
      const foreign = await ask(code)
      expect(foreign).toEqual(await ask('zzzzzzzzzzzz'))
      for (const [status] of foreign) expect(status).toBe(404)
      await readyWorkspace.remove()
    }
  })
})

describe('what goes wrong', () => {
  test('a refused password is told without it', async () => {
    const wrong = { connection: { ...outside.values.connection, password: 'planted-and-wrong' } }
    const broken = await connectOutside(client, workspace.tenant, { values: wrong })
    const answer = await client.call(explorer.listSchemas, { params: { ...at(), integration_trellis_code: broken } })
    expect(answer.errors?.[0]).toMatchObject({ code: 'integration_problem' })
    expect(answer.errors?.[0]?.detail).toContain('password')
    expect(answer.text).not.toContain('planted')
    const params = { ...workspace.tenant, integration_trellis_code: broken }
    await client.call(integrations.deleteIntegration, { params })
    const { data } = await client.call(explorer.listDatabases, { params: workspace.tenant })
    expect(data).toHaveLength(2)
  })

  test('a server that goes away in the middle is told as theirs', async () => {
    await outside.sql(
      `create view public.endless as select pg_sleep(50)::text as slept; grant select on public.endless to public`,
    )
    const asked = client.call(rows.countRows, { params: at('public', 'endless') })
    const user = outside.values.connection['user']
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
                  where usename = '${user}' and query like '%endless%' and wait_event = 'PgSleep'`
    while ((await outside.sql(end)).length === 0) await new Promise((passed) => setTimeout(passed, 20))
    const { status, errors } = await asked
    expect([status < 500, errors?.[0]?.code]).toEqual([true, 'integration_problem'])
    await outside.sql('drop view public.endless')
  })

  test('private addresses are not reached unless the operator allows them', async () => {
    const guarded = await startTestApp()
    const other = await makeReadyWorkspace(guarded)
    const inside = await connectOutside(other.account.owner, other.tenant, outside)
    const params = { ...other.tenant, integration_trellis_code: inside, schema_name: 'public', table_name: 'customers' }
    const { owner } = other.account
    for (const answer of [
      await owner.call(explorer.listSchemas, { params }),
      await owner.call(explorer.getTableDetails, { params }),
      await owner.call(rows.previewTable, { params }),
    ]) {
      expect([answer.errors?.[0]?.code, answer.errors?.[0]?.detail]).toEqual([
        'integration_problem',
        expect.stringContaining('not on the public internet'),
      ])
    }
    await other.remove()
    await guarded.close()
  })

  test('a connection to something else than a database is not there', async () => {
    const createdResponse = await client.call(integrations.createIntegration, {
      params: workspace.tenant,
      body: { platform_trellis_code: 'sample_data', name: 'Sample', values: {} },
    })
    const params = { ...at(), integration_trellis_code: createdResponse.data.integration_trellis_code }
    expect((await client.call(explorer.listSchemas, { params })).status).toBe(404)
    expect((await client.call(firewall.getFirewall, { params })).status).toBe(404)
  })
})
