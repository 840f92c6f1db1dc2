import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { type DatabaseHash, computeDatabaseHash } from '@trellis/workspace-db/probes/database-hash'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VIEW, joinNewPerson } from '../../../testing/accounts.ts'
import { connectOutside, makeOutsideDatabase } from '../../../testing/sources/outside-database.ts'
import { type SqlRunner, createSqlRunner } from '../testing/sql-runner.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { type EscapeAttempt, escapeAttempts } from './escape-attempts.ts'

const ROLE_IDS = { viewer: 1, editor: 2 }
const REFUSED = ['42501', '25006']
const SETUP = [
  'create table target (n int primary key, word text)',
  "insert into target values (1, 'one'), (2, 'two')",
  'create view target_view as select * from target',
  'create view ruled_view as select * from target',
  'create rule ruled as on insert to ruled_view do instead insert into target values (new.n, new.word)',
  'create materialized view stored as select * from target',
  'create sequence counter',
  `create function write_for_reader() returns void security definer language sql as 'insert into data.target values (8, null)'`,
  `create procedure write_by_procedure() security definer language sql as 'insert into data.target values (8, null)'`,
  'create function nothing() returns event_trigger language plpgsql as $$ begin end $$',
]

let app: TestApp
let workspace: ReadyWorkspace
let neighbour: ReadyWorkspace
let people: Record<'viewer' | 'editor', SqlRunner>
let words: Record<string, string>
let untouched: DatabaseHash

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_ALLOW_PRIVATE_HOSTS: 'on', TRELLIS_RATE_LIMITS: 'off' } })
  workspace = await makeReadyWorkspace(app)
  neighbour = await makeReadyWorkspace(app, { address: 'neighbour' })
  const join = async (role: 'viewer' | 'editor') => {
    const workspace_trellis_code = workspace.integrationCode.replace(/-db$/, '')
    const workspaces = [{ workspace_trellis_code, workspace_role_id: ROLE_IDS[role] }]
    const { client } = await joinNewPerson(app, workspace.account, { role: VIEW, workspaces })
    return createSqlRunner(client, workspace)
  }
  people = { viewer: await join('viewer'), editor: await join('editor') }
  await workspace.sql(...SETUP)
  await neighbour.sql('create table secrets (word text)', "insert into secrets values ('hidden')")
  const cluster = await app.ctx.ports.cluster.open()
  const { rows } = await cluster.admin.query<{ name: string }>('select current_user as name')
  const other = toWorkspaceNames(neighbour.key)
  words = {
    ...toWorkspaceNames(workspace.key),
    neighbour: other.database,
    neighbourOwner: other.owner,
    admin: rows[0]?.name ?? '',
  }
  // The first session upgrades the database.
  await people.viewer.run('select 1')
  untouched = await hash()
})
afterAll(async () => {
  await workspace.remove()
  await neighbour.remove()
  await app.close()
})

const fill = (sql: string) => sql.replaceAll(/\{(\w+)\}/g, (found, word: string) => words[word] ?? found)
const hash = async (key = workspace.key) => await computeDatabaseHash(await app.ctx.ports.cluster.open(), `w_${key}`)

const tries = escapeAttempts.flatMap((attempt) =>
  (['viewer', 'editor'] as const)
    .filter((role) => attempt.as === undefined || attempt.as === role)
    .map((role): [string, 'viewer' | 'editor', EscapeAttempt] => [`${role}: ${attempt.name}`, role, attempt]),
)

describe('a worksheet', () => {
  test('is tried in at least sixty ways, each with a name', () => {
    expect(escapeAttempts.length).toBeGreaterThanOrEqual(60)
    expect(new Set(escapeAttempts.map(({ name }) => name)).size).toBe(escapeAttempts.length)
  })

  test.each(tries)('refuses %s', async (_, role, attempt) => {
    const job = await people[role].run(fill(attempt.sql))
    const problem = job.statements.find((statement) => statement.problem)?.problem
    if (attempt.state === 'none') expect(job.status).toBe('completed')
    else expect(attempt.state ? [attempt.state] : REFUSED).toContain(problem?.code)
    expect(JSON.stringify(job.statements.map((statement) => statement.problem))).not.toMatch(/w_[0-9a-f]{16}/)
  })

  test('leaves the database as it was', async () => {
    expect(await hash()).toEqual(untouched)
  })

  test('leaves no trace at the neighbour or on the server', async () => {
    expect(await neighbour.sql('select word from secrets')).toEqual([['hidden']])
    const cluster = await app.ctx.ports.cluster.open()
    const { rows } = await cluster.admin.query(
      `select datname as name from pg_database where datname = 'escaped'
       union all select rolname from pg_roles where rolname = 'escaped'
       union all select gid from pg_prepared_xacts where gid = 'escaped'`,
    )
    expect(rows).toEqual([])
  })

  test('is seen by the hash when an editor does write', async () => {
    const before = await hash()
    await people.editor.run("update target set word = 'changed' where n = 1")
    expect((await hash()).content).not.toBe(before.content)
  })
})

const WRITE = 'delete from public.customers'
const outsideTries = [
  WRITE,
  `commit; ${WRITE}`,
  `rollback; ${WRITE}`,
  `end; begin read write; ${WRITE}; commit`,
  `commit and chain; set transaction read write; ${WRITE}; commit`,
  `rollback and chain; set transaction read write; ${WRITE}; commit`,
  `savepoint s; rollback to s; set transaction read write; ${WRITE}; commit`,
  `set session characteristics as transaction read write; commit; ${WRITE}`,
  `set default_transaction_read_only = off; commit; begin; ${WRITE}; commit`,
  `select set_config('transaction_read_only', 'off', false); ${WRITE}; commit`,
  `prepare p as ${WRITE}; commit; execute p; commit`,
  `do $$ begin commit; ${WRITE}; commit; end $$`,
  `call public.wipe()`,
  `commit; call public.wipe()`,
  `select public.wipe_by_function(); commit`,
  `explain analyze ${WRITE}`,
  `commit; with gone as (${WRITE} returning 1) select * from gone; commit`,
  `copy (select 1) to program 'true'`,
  `commit; create table public.made as select 1; commit`,
]

describe('a connected database', () => {
  test('is only read, whatever the text says, although its login may write', async () => {
    const outside = await makeOutsideDatabase()
    const { user } = outside.values.connection
    await outside.sql(
      `create table public.customers as select 5 as id;
       create procedure public.wipe() language sql as 'delete from public.customers';
       create function public.wipe_by_function() returns void language sql as 'delete from public.customers';
       grant all on public.customers to ${user}`,
    )
    const owner = createSqlRunner(workspace.account.owner, workspace)
    const integration_trellis_code = await connectOutside(owner.client, workspace.tenant, outside)
    for (const sql of outsideTries) {
      const job = await owner.run(sql, { integration_trellis_code })
      expect([sql, job.status]).toEqual([sql, 'failed'])
      expect([sql, await outside.sql('select id from public.customers')]).toEqual([sql, [{ id: 5 }]])
    }
    expect(await outside.sql("select to_regclass('public.made') as made")).toEqual([{ made: null }])
    const read = await owner.run('set search_path = public; select id from customers', { integration_trellis_code })
    expect(read.status).toBe('completed')
    await outside.drop()
  })
})
