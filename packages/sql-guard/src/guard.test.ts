import type { Cluster } from '@trellis/workspace-db/cluster'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { computeDatabaseHash } from '@trellis/workspace-db/probes/database-hash'
import { toStatements } from '@trellis/workspace-db/probes/probe'
import { readOnlyProbes } from '@trellis/workspace-db/probes/read-only.probes'
import { withScopedSession } from '@trellis/workspace-db/scoped/scoped-session'
import { type Result, type Session } from '@trellis/workspace-db/session'
import { type TestWorkspace, testCluster, testWorkspace } from '@trellis/workspace-db/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { listAllowedFunctions } from './allowed-functions.ts'
import type { ScopeTable } from './check-query.ts'
import { GUARD_LIMITS, type GuardLimits, withReadOnlyTransaction, runGuarded } from './run-guarded.ts'

const TABLES: ScopeTable[] = [
  { schema: 'data', name: 'target', columns: ['n', 'word'] },
  { schema: 'data', name: 'target_view', columns: ['n', 'word'] },
]
const SETUP = [
  'create table target (n int primary key, word text)',
  "insert into target values (1, 'one'), (2, 'two')",
  "create table secret as select 'hidden' as word",
  'create view target_view as select * from target',
  'create materialized view stored as select * from target',
  'create sequence counter',
  `create function write_for_reader() returns void security definer language sql as 'insert into data.target values (8, null)'`,
  `create procedure write_by_procedure() security definer language sql as 'insert into data.target values (8, null)'`,
  'create function nothing() returns event_trigger language plpgsql as $$ begin end $$',
]

let cluster: Cluster
let workspace: TestWorkspace
let functions: ReadonlySet<string>

beforeAll(async () => {
  cluster = await testCluster()
  workspace = await testWorkspace(cluster)
  await workspace.runAll('rw', SETUP)
  functions = await inScope(listAllowedFunctions)
})

const inScope = <T>(work: (session: Session) => Promise<T>, limits: Partial<GuardLimits> = {}): Promise<T> => {
  const { database, credentials } = workspace
  const { maxCost: _, ...session } = { ...GUARD_LIMITS, ...limits }
  return withScopedSession(cluster, { database, credentials, tables: TABLES, limits: session }, work)
}

const guard = (sql: string, limits: Partial<GuardLimits> = {}) =>
  inScope(
    (session) =>
      runGuarded(session, { sql, scope: { tables: TABLES, functions }, limits: { ...GUARD_LIMITS, ...limits } }),
    limits,
  )

const words = () => ({
  ...toWorkspaceNames(workspace.key),
  neighbour: '',
  neighbourOwner: '',
  neighbourLogin: '',
  admin: '',
})

describe('writing through the guard', () => {
  test('is refused in every way, and leaves no trace', { timeout: 300_000 }, async () => {
    const before = await computeDatabaseHash(cluster, workspace.database)
    for (const probe of readOnlyProbes) {
      for (const sql of toStatements(probe, words())) {
        const { account, result } = await guard(sql)
        expect.soft(account.refusal, sql).not.toBeNull()
        expect.soft(result, sql).toBeNull()
      }
    }
    expect(readOnlyProbes.length).toBeGreaterThanOrEqual(25)
    expect(await computeDatabaseHash(cluster, workspace.database)).toEqual(before)
  })

  // Without parsing: the role's privileges alone must suffice, even outside the read-only transaction.
  test('is refused by the role when nothing is parsed', { timeout: 300_000 }, async () => {
    const before = await computeDatabaseHash(cluster, workspace.database)
    const run = (texts: readonly string[]) =>
      inScope(async (session) => {
        let last: Result | undefined
        for (const text of ['set search_path = data', ...texts]) last = await session.query({ text })
        return last
      })
    for (const probe of readOnlyProbes) {
      const texts = toStatements(probe, words())
      const writing = run(['set default_transaction_read_only = off', ...texts])
      await expect.soft(writing, probe.name).rejects.toMatchObject({ code: 'refused' })
      await expect.soft(run(texts), probe.name).rejects.toMatchObject({ name: 'WorkspaceDbError' })
    }
    expect(await computeDatabaseHash(cluster, workspace.database)).toEqual(before)
  })
})

describe('reading through the guard', () => {
  test.each([
    'select * from target',
    'select word, count(*) from data.target group by 1 order by 2 desc',
    'with w as (select n from target) select sum(n) from w',
    'values (1), (2)',
    'select n from target union all select n from target_view',
    "select date_trunc('month', now()), lower(word), min(n) over (partition by word) from target",
    'explain select * from target',
    "select coalesce(word, '-') from target t where exists (select from target_view v where v.n = t.n)",
    'select n from target tbl order by random() limit 1',
    'select * from generate_series(1, 3) g',
  ])('%s is allowed', async (sql) => {
    const { account, result } = await guard(sql)
    expect(account.refusal).toBeNull()
    expect(result?.rows.length).toBeGreaterThan(0)
  })

  test('gives an account of what was read and at what cost', async () => {
    const { account } = await guard('select n from target')
    expect(account).toMatchObject({
      role: 'tables',
      rows: 2,
      cutAt: null,
      tables: [{ schema: 'data', name: 'target' }],
    })
    expect(account.estimatedCost).toBeGreaterThan(0)
  })

  test.each([
    ['select * from secret', 'table_not_in_scope'],
    ['select * from data.secret', 'table_not_in_scope'],
    ['select * from pg_catalog.pg_roles', 'table_not_in_scope'],
    ['select * from information_schema.tables', 'table_not_in_scope'],
    ['select 1; select 2', 'not_one_statement'],
    ['', 'not_one_statement'],
    ['selec 1', 'syntax'],
    ['select pg_sleep(1)', 'function_not_allowed'],
    ["select set_config('role', 'x', true)", 'function_not_allowed'],
    ["select current_setting('data_directory')", 'function_not_allowed'],
    ["select query_to_xml('select 1', true, true, '')", 'function_not_allowed'],
    ['select data.write_for_reader()', 'function_not_allowed'],
    ['select write_for_reader()', 'function_not_allowed'],
    ['select current_user', 'function_not_allowed'],
    ["select 'secret'::regclass", 'clause_not_allowed'],
    ['select * into made from target', 'clause_not_allowed'],
    ['select * from target for share', 'clause_not_allowed'],
    ['explain analyze select * from target', 'clause_not_allowed'],
    ['table secret', 'table_not_in_scope'],
    ["copy (select 1) to '/tmp/x'", 'not_a_query'],
    ['set role none', 'not_a_query'],
  ])('%s is refused as %s', async (sql, code) => {
    const { account } = await guard(sql)
    expect(account.refusal?.code).toBe(code)
  })

  test('a table outside the scope is refused by the role, whatever the parser thought', async () => {
    const read = inScope((session) =>
      withReadOnlyTransaction(session, ['data'], () => session.query({ text: 'select * from data.secret' })),
    )
    await expect(read).rejects.toMatchObject({ code: 'refused', sqlState: '42501' })
  })

  test('a query above the cost ceiling does not run', async () => {
    const { account } = await guard('select count(*) from target a, target b', { maxCost: 1 })
    expect(account.refusal?.code).toBe('too_expensive')
    expect(account.estimatedCost).toBeGreaterThan(1)
  })

  test('rows above the limit are cut, and the account says so', async () => {
    const { account } = await guard('select g from generate_series(1, 50) g', { maxRows: 10 })
    expect(account).toMatchObject({ rows: 10, cutAt: 'rows' })
  })

  test('a table that was made anew is readable again', async () => {
    await workspace.runAll('rw', ['drop view target_view', 'create view target_view as select n, word from target'])
    expect((await guard('select * from target_view')).result?.rows).toHaveLength(2)
  })

  test('the functions that may be called only compute', () => {
    for (const name of [
      'sum',
      'min',
      'date_trunc',
      'btrim',
      'regexp_replace',
      'percentile_cont',
      'generate_series',
      'to_char',
    ])
      expect(functions.has(name), name).toBe(true)
    for (const name of [
      'pg_read_file',
      'pg_sleep',
      'nextval',
      'lo_import',
      'set_config',
      'has_table_privilege',
      'int4in',
      'version',
    ])
      expect(functions.has(name), name).toBe(false)
  })
})
