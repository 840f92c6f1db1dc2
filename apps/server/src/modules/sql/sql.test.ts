import { type Endpoint, toEndpointUrl } from '@trellis/contract/core/endpoint'
import * as calls from '@trellis/contract/sql/sql.endpoints'
import type { SqlEvent, SqlJob, StartedSqlJob } from '@trellis/contract/sql/sql.schemas'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson, newPerson } from '../../testing/accounts.ts'
import { connectOutside, makeOutsideDatabase } from '../../testing/sources/outside-database.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import type { TestClient } from '../../testing/test-client.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../testing/workspace.ts'
import { handlePruneSqlJobs } from './prune-jobs.handler.ts'

const VIEWER = 1
const ENDLESS = 'select count(*) from generate_series(1, 2000000000)'
const TRAPPING = `do $$ begin loop begin loop end loop; exception when query_canceled then null; end; end loop; end $$`

let app: TestApp
let workspace: ReadyWorkspace
let owner: TestClient
let viewer: TestClient

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  owner = workspace.account.owner
  const joined = await joinNewPerson(app, workspace.account, {
    role: VIEW,
    workspaces: [{ workspace_trellis_code: workspace.integrationCode.replace(/-db$/, ''), workspace_role_id: VIEWER }],
  })
  viewer = joined.client
  await workspace.sql('create table data.orders as select n as id, n * 1.5 as amount from generate_series(1, 3000) n')
})
afterAll(async () => {
  await workspace.remove()
  await app.close()
})

async function start(sql: string, more: object = {}, client = owner): Promise<StartedSqlJob> {
  const body = { ...workspace.database, sql, ...more }
  const answer = await client.call(calls.executeSql, { params: workspace.tenant, body })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.data
}

async function find(job_id: string, client = owner) {
  return await client.call(calls.getSqlJob, { params: { ...workspace.tenant, job_id } })
}

async function settle(job: SqlJob, client = owner): Promise<SqlJob> {
  let last = job
  await expect
    .poll(async () => {
      last = (await find(job.job_id, client)).data
      return ['queued', 'running'].includes(last.status)
    })
    .toBe(false)
  return last
}

const run = async (sql: string, more: object = {}, client = owner) =>
  await settle(await start(sql, more, client), client)

async function readRows({ job_id }: SqlJob, statement = 0, query: Record<string, string> = {}) {
  const params = { ...workspace.tenant, job_id, statement: String(statement) }
  return (await owner.call(calls.getResultPage, { params, query })).data
}

const urlFor = (endpoint: Endpoint, params: Record<string, string>) =>
  app.url +
  toEndpointUrl(endpoint).replaceAll(/:(\w+)/g, (_, name: string) => ({ ...workspace.tenant, ...params })[name] ?? '')

const headers = () => ({ authorization: `Bearer ${owner.token}` })

async function* readEvents(response: Response): AsyncGenerator<SqlEvent> {
  let text = ''
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes as Uint8Array).toString()
    const parts = text.split('\n\n')
    text = parts.pop() ?? ''
    for (const part of parts) if (part.startsWith('data: ')) yield JSON.parse(part.slice(6)) as SqlEvent
  }
}

describe('a query', () => {
  test('runs every statement with a result of its own', async () => {
    const sql =
      "select 1 as n, 'ü😀' as word;\ninsert into orders values (0, 1);  delete from orders where id = 0; select;"
    const job = await run(sql)
    expect(job).toMatchObject({ status: 'completed', problem: null })
    expect(job.statements.map(({ start: from, end }) => sql.slice(from, end))).toEqual([
      "select 1 as n, 'ü😀' as word",
      'insert into orders values (0, 1)',
      'delete from orders where id = 0',
      'select',
    ])
    expect(job.statements.map(({ command, rows }) => [command, rows])).toEqual([
      ['SELECT', 1],
      ['INSERT', 1],
      ['DELETE', 1],
      ['SELECT', 1],
    ])
    expect(job.statements[0]?.columns).toEqual([
      { name: 'n', type: 'integer', kind: 'integer' },
      { name: 'word', type: 'text', kind: 'text' },
    ])
    expect((await readRows(job)).rows).toEqual([['1', 'ü😀']])
  })

  test('answers with its first rows or its end when they come in time', async () => {
    const wait_ms = 1000
    const ends = ['running', 'completed']
    const quick = await start('select n from generate_series(1, 2) n', { wait_ms })
    // On a busy machine the rows may come with the events instead.
    if (quick.first_rows.length > 0) {
      expect(quick.first_rows).toEqual([{ statement: 0, first_row: 0, rows: [['1'], ['2']], cut: [] }])
      expect(ends).toContain(quick.status)
    }
    expect((await readRows(await settle(quick))).rows).toEqual([['1'], ['2']])
    const { rows } = await app.database.pool.query(
      "select outcome from audit_lines where action = 'executeSql' and workspace_id = $1 and detail ->> 'sql' = $2",
      [workspace.id, quick.sql],
    )
    expect(rows).toEqual([{ outcome: 'done' }])
    const slow = await start('select pg_sleep(60)', { wait_ms: 1 })
    expect(slow).toMatchObject({ first_rows: [] })
    await owner.call(calls.cancelSqlJob, { params: { ...workspace.tenant, job_id: slow.job_id } })
  })

  test('points at the character that is wrong and skips what follows', async () => {
    const sql = "select 'ü😀'; select :n + oops; select 3"
    const job = await run(sql, { parameters: { n: { type: 'integer', value: '5' } } })
    expect(job.status).toBe('failed')
    expect(job.statements.map(({ status }) => status)).toEqual(['completed', 'failed', 'skipped'])
    expect(job.statements[1]?.problem).toMatchObject({ code: '42703', position: sql.indexOf('oops') })
    expect((await run("select 'open")).statements[0]?.problem).toMatchObject({ code: '42601', position: 7 })
  })

  test('takes typed parameters as values, never as SQL', async () => {
    const text = "x'; drop table orders; --"
    const parameters = { t: { value: text }, n: { type: 'integer', value: '2' }, nothing: { value: null } }
    const job = await run("select :t as t, :n + 1 as n, :nothing is null as empty, ':t' as quoted", { parameters })
    expect((await readRows(job)).rows).toEqual([[text, '3', 't', ':t']])
    const wrong = await run('select :n', { parameters: { n: { type: 'integer', value: 'two' } } })
    expect(wrong.statements[0]?.problem).toMatchObject({ code: '22P02' })
  })

  test('keeps notices, names own types and stops at the row limit', async () => {
    await workspace.sql("create type data.mood as enum ('good')")
    const job = await run(
      "do $$ begin raise notice 'hello'; end $$; select 'good'::mood as m from generate_series(1, 50)",
      {
        row_limit: 20,
      },
    )
    expect(job.statements[0]?.notices).toEqual([{ severity: 'NOTICE', message: 'hello' }])
    expect(job.statements[1]).toMatchObject({ rows: 20, cut_at: 'rows', columns: [{ name: 'm', type: 'mood' }] })
  })

  test('runs only the statement at the cursor when it is told where that is', async () => {
    const sql = 'select 1 as a;\n\nselect 2 as b; select 3 as c'
    for (const [cursor, column] of [
      [0, 'a'],
      [sql.indexOf('2'), 'b'],
      [sql.length, 'c'],
    ] as const) {
      const job = await run(sql, { cursor })
      expect(job.statements.map(({ columns }) => columns?.[0]?.name)).toEqual([column])
    }
  })

  test.each([
    'delete from orders',
    'update orders set amount = 0',
    'select 1; drop table orders',
    'truncate orders',
    'with gone as (delete from orders returning id) select count(*) from gone',
    'alter table orders drop column amount',
  ])('asks first when told to: %s', async (sql) => {
    const body = { ...workspace.database, sql, ask_first: true }
    const answer = await owner.call(calls.executeSql, { params: workspace.tenant, body })
    expect(answer.status).toBe(409)
    expect(await workspace.sql('select count(*) from orders')).toEqual([['3000']])
    expect((await run('delete from orders where id = -1', { ask_first: true })).status).toBe('completed')
  })

  test('is explained, also by running it, and then leaves nothing behind', async () => {
    const plan = await run('select * from orders', { explain: 'plan' })
    expect(plan.statements[0]?.plan).toMatchObject([{ Plan: { 'Node Type': 'Seq Scan' } }])
    const analyzed = await run('delete from orders', { explain: 'analyze' })
    expect(analyzed.statements[0]?.plan).toMatchObject([{ Plan: { 'Actual Rows': expect.any(Number) as number } }])
    expect(await workspace.sql('select count(*) from orders')).toEqual([['3000']])
  })

  test('that was started twice with one id runs once', async () => {
    await workspace.sql('create table data.once (n int)')
    const job_id = crypto.randomUUID()
    await run('insert into once values (1)', { job_id })
    await run('insert into once values (1)', { job_id })
    expect(await workspace.sql('select count(*) from once')).toEqual([['1']])
  })

  test('within the limits of its workspace only', async () => {
    const params = workspace.tenant
    const patch = { max_row_limit: 100, max_timeout_seconds: 5 }
    expect((await viewer.call(calls.updateSqlLimits, { params, body: patch })).status).toBe(403)
    expect((await owner.call(calls.updateSqlLimits, { params, body: patch })).data).toMatchObject(patch)
    for (const more of [{ row_limit: 101 }, { timeout_seconds: 6 }]) {
      const body = { ...workspace.database, sql: 'select 1', ...more }
      expect((await owner.call(calls.executeSql, { params, body })).status).toBe(409)
    }
    expect((await run('select * from orders')).statements[0]).toMatchObject({ rows: 100, cut_at: 'rows' })
    const full = { max_row_limit: 1_000_000, max_timeout_seconds: 900 }
    await owner.call(calls.updateSqlLimits, { params, body: full })
  })
})

describe('results', () => {
  test('are read by page and by cell, also when they span many chunks', async () => {
    const job = await run("select n, repeat('x', 300) from generate_series(1, 25000) n", { row_limit: 100_000 })
    expect(job.statements[0]).toMatchObject({ rows: 25_000, cut_at: null })
    const page = await readRows(job, 0, { first_row: '9995', limit: '10' })
    expect(page.rows.map(([n]) => Number(n))).toEqual([
      9996, 9997, 9998, 9999, 10_000, 10_001, 10_002, 10_003, 10_004, 10_005,
    ])
    expect(page).toMatchObject({ total_rows: 25_000, is_complete: true })
    const long = await run("select repeat('y', 20000)")
    expect((await readRows(long)).cut).toEqual([[0, 0]])
    const cell = { ...workspace.tenant, job_id: long.job_id, statement: '0', row: '0', column: '0' }
    expect((await owner.call(calls.getResultCell, { params: cell })).data.value).toHaveLength(20_000)
    expect((await owner.call(calls.getResultCell, { params: { ...cell, column: '7' } })).status).toBe(404)
  })

  test('come as they are made, and the stream can be resumed', async () => {
    const slow = `select n, (select count(*) from generate_series(1, 100000 * (n > 20)::int)) from generate_series(1, 60) n`
    const job = await start(slow)
    const response = await fetch(urlFor(calls.followSqlJob, { job_id: job.job_id }), { headers: headers() })
    const events: SqlEvent[] = []
    for await (const event of readEvents(response)) events.push(event)
    const rows = events.flatMap((event) => (event.kind === 'rows' ? event.rows : []))
    expect(rows.map(([n]) => Number(n))).toEqual(Array.from({ length: 60 }, (_, at) => at + 1))
    const jobs = events.flatMap((event) => (event.kind === 'job' ? [event.job] : []))
    expect(jobs.at(-1)).toMatchObject({ status: 'completed' })
    expect(jobs.map(({ sql }) => sql)).toEqual([slow, ...jobs.slice(1).map(() => undefined)])
    const resumed = await fetch(`${urlFor(calls.followSqlJob, { job_id: job.job_id })}?statement=0&row=55`, {
      headers: headers(),
    })
    const later: SqlEvent[] = []
    for await (const event of readEvents(resumed)) later.push(event)
    expect(later.flatMap((event) => (event.kind === 'rows' ? [event.first_row, event.rows.length] : []))).toEqual([
      55, 5,
    ])
  })

  test('are sent before the job is stored, its end after', async () => {
    const cluster = await app.ctx.ports.cluster.open()
    const control = await app.database.pool.connect()
    await cluster.withAdmin(`w_${workspace.key}`, async (data) => {
      // Blocks the statement until its job row can no longer be written.
      await data.query('begin; lock table data.orders in access exclusive mode')
      const job = await start('select count(*) from orders')
      try {
        await control.query('begin')
        await control.query('select from sql_jobs where id = $1 for update', [job.job_id])
        const response = await fetch(urlFor(calls.followSqlJob, { job_id: job.job_id }), { headers: headers() })
        await data.query('rollback')
        for await (const event of readEvents(response)) {
          if (event.kind === 'rows') break
          expect(event.job.status).not.toBe('completed')
        }
      } finally {
        await control.query('rollback')
        control.release()
      }
      expect((await settle(job)).status).toBe('completed')
    })
  })

  test('are exported whole: what was cut is read again, what changes data is not', async () => {
    const job = await run(
      "select n as id, case when n = 2 then '=1+1' end as f, n > 1 as b from generate_series(1, 1500) n",
    )
    const file = async (query: string, from = job) =>
      await fetch(`${urlFor(calls.exportResults, { ...workspace.database, job_id: from.job_id })}?${query}`, {
        headers: headers(),
      })
    const csv = await (await file('file_type=csv')).text()
    expect(csv.split('\n').slice(0, 3)).toEqual(['id,f,b', '1,,false', "2,'=1+1,true"])
    expect(csv.trimEnd().split('\n')).toHaveLength(1501)
    expect((await (await file('file_type=csv&is_preview=true&formula_safe=false')).text()).split('\n')[2]).toBe(
      '2,=1+1,true',
    )
    const all = (await (await file('file_type=jsonl')).text()).trimEnd().split('\n')
    expect(all.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(
      Array.from({ length: 1500 }, (_, at) => at + 1),
    )
    const lines = (await (await file('file_type=jsonl&is_preview=true')).text()).trimEnd().split('\n')
    expect(lines).toHaveLength(1000)
    expect(JSON.parse(lines[1] ?? '')).toEqual({ id: 2, f: '=1+1', b: true })
    for (const type of ['xlsx', 'parquet']) {
      const bytes = Buffer.from(await (await file(`file_type=${type}`)).arrayBuffer())
      expect(bytes.subarray(0, 4).toString('latin1')).toMatch(type === 'xlsx' ? /^PK/ : /^PAR1/)
    }
    const changing = await run('update orders set amount = amount returning id', { row_limit: 10 })
    expect((await file('file_type=csv', changing)).status).toBe(409)
    expect((await file('file_type=csv&is_preview=true', changing)).status).toBe(200)
  })

  test('are deleted after a day; the history stays', async () => {
    const job = await run('select 42 as answer')
    await app.database.pool.query("update sql_jobs set expires_at = now() - interval '1 minute' where id = $1", [
      job.job_id,
    ])
    await handlePruneSqlJobs(app.ctx)
    expect(
      (await owner.call(calls.getResultPage, { params: { ...workspace.tenant, job_id: job.job_id, statement: '0' } }))
        .status,
    ).toBe(404)
    const { data } = await owner.call(calls.listQueryHistory, {
      params: workspace.tenant,
      query: { search: '42 as answer' },
    })
    expect(data.items).toMatchObject([{ job_id: job.job_id, has_results: false, is_mine: true, rows: 1 }])
    expect((await app.ctx.ports.objects.list(`results/${job.job_id}/`)).objects).toEqual([])
  })
})

describe('stopping', () => {
  test.each([
    ['a long statement', ENDLESS],
    ['one that traps the cancel', TRAPPING],
  ])('cancels %s', async (_, sql) => {
    const job = await start(sql)
    await expect.poll(async () => (await find(job.job_id)).data.status).toBe('running')
    const stopped = await owner.call(calls.cancelSqlJob, { params: { ...workspace.tenant, job_id: job.job_id } })
    expect(stopped.data).toMatchObject({ status: 'cancelled', statements: [{ status: 'cancelled' }] })
    const cluster = await app.ctx.ports.cluster.open()
    await expect
      .poll(async () => {
        const text = "select from pg_stat_activity where datname = $1 and state = 'active'"
        return (await cluster.admin.query(text, [`w_${workspace.key}`])).rowCount
      })
      .toBe(0)
  })

  test('by the timeout says so', async () => {
    const job = await run(ENDLESS, { timeout_seconds: 1 })
    expect(job).toMatchObject({ status: 'failed', statements: [{ status: 'failed', problem: { code: '57014' } }] })
  })

  test('of the process is told, and nothing seems to run for ever', async () => {
    const job = await run('select 1')
    const lost =
      "update sql_jobs set status = 'running', finished_at = null, heartbeat_at = now() - interval '1 minute' where id = $1"
    await app.database.pool.query(lost, [job.job_id])
    expect((await find(job.job_id)).data).toMatchObject({ status: 'failed', problem: { code: 'lost' } })
    await app.database.pool.query(lost, [job.job_id])
    await handlePruneSqlJobs(app.ctx)
    const { rows } = await app.database.pool.query('select status from sql_jobs where id = $1', [job.job_id])
    expect(rows).toEqual([{ status: 'failed' }])
  })
})

describe('others', () => {
  test('see nothing of a query that is not theirs', async () => {
    const job = await run('select 1')
    const stranger = (await newPerson(app)).client
    expect((await find(job.job_id, viewer)).status).toBe(404)
    expect((await find(job.job_id, stranger)).status).toBe(404)
    const params = { ...workspace.tenant, job_id: job.job_id }
    expect((await viewer.call(calls.cancelSqlJob, { params })).status).toBe(404)
    expect((await viewer.call(calls.getResultPage, { params: { ...params, statement: '0' } })).status).toBe(404)
    const taken = { ...workspace.database, sql: 'select 2', job_id: job.job_id }
    expect((await viewer.call(calls.executeSql, { params: workspace.tenant, body: taken })).status).toBe(404)
    const going = { ...workspace.tenant, job_id: (await start(ENDLESS)).job_id }
    const elsewhere = await makeReadyWorkspace(app, { account: workspace.account, address: 'elsewhere' })
    expect((await viewer.call(calls.getSqlJob, { params: going })).status).toBe(404)
    expect((await owner.call(calls.getSqlJob, { params: { ...going, ...elsewhere.tenant } })).status).toBe(404)
    expect((await owner.call(calls.keepSqlJobRunning, { params: going })).data.keep_running).toBe(true)
    expect((await owner.call(calls.getSqlJob, { params: going })).data.keep_running).toBe(true)
    await owner.call(calls.cancelSqlJob, { params: going })
    await elsewhere.remove()
    const all = { of: 'workspace' } as const
    expect((await viewer.call(calls.listQueryHistory, { params: workspace.tenant, query: all })).status).toBe(403)
    const seenResponse = await owner.call(calls.listQueryHistory, { params: workspace.tenant, query: all })
    expect(seenResponse.data.items.length).toBeGreaterThan(0)
  })

  test.each([
    'delete from orders',
    'create table probe (n int)',
    'begin read write; delete from orders; commit',
    'set transaction read write; delete from orders',
    'set default_transaction_read_only = off; delete from orders',
    'reset all; delete from orders',
    'set role none; delete from orders',
    "do $$ begin execute 'delete from data.orders'; end $$",
    "copy orders to program 'true'",
    'truncate orders',
  ])('a viewer can not write: %s', async (sql) => {
    const job = await run(sql, {}, viewer)
    expect(job.status).toBe('failed')
    const { problem } = job.statements.find(({ status }) => status === 'failed') ?? {}
    if (problem?.code === '25006') expect(problem.hint).toContain('Your role in this workspace is viewer')
    expect(await workspace.sql('select count(*), sum(amount) from orders')).toEqual([['3000', '6752250.0']])
  })

  test('a connected database is read, and only read', async () => {
    const outside = await makeOutsideDatabase()
    await outside.sql('create table public.customers as select 5 as id; grant select on public.customers to public')
    const integration_trellis_code = await connectOutside(owner, workspace.tenant, outside)
    const job = await run('select id from public.customers', { integration_trellis_code })
    expect((await readRows(job)).rows).toEqual([['5']])
    expect(await run('delete from public.customers', { integration_trellis_code })).toMatchObject({ status: 'failed' })
    const body = { integration_trellis_code, sql: 'select 1' }
    expect((await viewer.call(calls.executeSql, { params: workspace.tenant, body })).status).not.toBe(200)
    await outside.drop()
  })

  test('a connected database is written to when its connection allows it, and never by a viewer', async () => {
    const outside = await makeOutsideDatabase()
    const { connection } = outside.values
    await outside.sql(
      `create table public.customers (id int primary key deferrable initially deferred);
       grant all on public.customers to ${connection['user']}`,
    )
    const values = { connection: { ...connection, allows_writing: true } }
    const integration_trellis_code = await connectOutside(owner, workspace.tenant, { values })
    const write = async (sql: string) => (await run(sql, { integration_trellis_code })).status
    const listIds = async () => (await outside.sql('select id from public.customers order by id')).map(({ id }) => id)
    const body = { integration_trellis_code, sql: 'insert into public.customers values (9)' }
    expect((await viewer.call(calls.executeSql, { params: workspace.tenant, body })).status).not.toBe(200)
    expect(await write('insert into public.customers values (1); select 1 / 0')).toBe('failed')
    expect(await write('begin; insert into public.customers values (2); rollback')).toBe('completed')
    expect(await write('begin; insert into public.customers values (3); commit; select 1')).toBe('completed')
    expect(await write('begin; insert into public.customers values (4)')).toBe('completed')
    expect(await write('insert into public.customers values (1)')).toBe('failed')
    expect(await write("copy public.customers to program 'true'")).toBe('failed')
    expect(await listIds()).toEqual([1, 3])
    await outside.drop()
  })
})
