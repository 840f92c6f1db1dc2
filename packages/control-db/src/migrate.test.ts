import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { type TestDatabase, createTestDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.close())

test('numbers are unique and without gaps', async () => {
  const numbers = (await readMigrations()).map((migration) => Number(migration.name.slice(0, 4)))
  expect(numbers).toEqual(Array.from(numbers, (_, index) => index + 1))
})

test('running them again, from several processes at once, changes nothing', async () => {
  const url = new URL(new URL(database.url).pathname, database.adminUrl).href
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(runs.flatMap((run) => run.applied)).toEqual([])
})

/** The owner's role: a superuser would bypass row-level security. */
function toOwnerUrl(): string {
  const url = new URL(new URL(database.url).pathname, database.adminUrl)
  url.searchParams.set('options', '-c role=trellis_owner')
  return url.href
}

test('connections to HubSpot and Shopify from before there was OAuth go on with their token', async () => {
  const admin = new pg.Client(new URL(new URL(database.url).pathname, database.adminUrl).href)
  await admin.connect()
  try {
    await admin.query(`
      with a as (insert into accounts (trellis_code, name, account_type) values ('a', 'A', 'team') returning id),
           w as (insert into workspaces (account_id, trellis_code, name, workspace_address)
                 select id, 'w', 'W', 'w' from a returning id, account_id)
      insert into integrations (account_id, workspace_id, trellis_code, platform_code, name, settings)
      select account_id, id, code, platform, code, settings::jsonb from w, (values
        ('hub', 'hubspot', '{"account": {}}'), ('shop', 'shopify', '{"shop": {"name": "my-shop"}}'),
        ('new', 'hubspot', '{"account": {"method": "oauth"}}'), ('empty', 'shopify', '{}'),
        ('other', 'postgresql', '{"account": {}}')) as given (code, platform, settings)`)
    await admin.query("delete from schema_migrations where name = '0032-sign-in-method'")
    expect(await migrate(toOwnerUrl())).toEqual({ applied: ['0032-sign-in-method'] })
    const { rows } = await admin.query('select trellis_code as code, settings from integrations order by id')
    expect(rows).toEqual([
      { code: 'hub', settings: { account: { method: 'token' } } },
      { code: 'shop', settings: { shop: { name: 'my-shop', method: 'token' } } },
      { code: 'new', settings: { account: { method: 'oauth' } } },
      { code: 'empty', settings: {} },
      { code: 'other', settings: { account: {} } },
    ])
  } finally {
    await admin.end()
  }
})

test('the plan of an account deleted earlier is ended at the payment provider', async () => {
  const admin = new pg.Client(new URL(new URL(database.url).pathname, database.adminUrl).href)
  await admin.connect()
  try {
    await admin.query(`insert into accounts (trellis_code, name, account_type, stripe_customer_id, deleted_at)
      values ('gone', 'Gone', 'team', 'cus_1', now()), ('here', 'Here', 'team', 'cus_2', null)`)
    await admin.query("delete from schema_migrations where name = '0033-deleted-plans'")
    await migrate(toOwnerUrl())
    const { rows } = await admin.query(
      'select trellis_code as code from accounts where provider_update_due_at is not null',
    )
    expect(rows).toEqual([{ code: 'gone' }])
  } finally {
    await admin.end()
  }
})

test('runs from before there were flow runs are grouped by what started them', async () => {
  const admin = new pg.Client(new URL(new URL(database.url).pathname, database.adminUrl).href)
  await admin.connect()
  try {
    await admin.query(`
      alter table task_runs drop column flow_run_id;
      drop table flow_runs;
      with a as (insert into accounts (trellis_code, name, account_type) values ('fr', 'A', 'team') returning id),
           w as (insert into workspaces (account_id, trellis_code, name, workspace_address)
                 select id, 'fr', 'W', 'fr' from a returning id, account_id),
           f as (insert into dataflows (account_id, workspace_id, trellis_code, name)
                 select account_id, id, code, code from w, (values ('f1'), ('f2')) as given (code)
                 returning id, account_id, workspace_id, trellis_code),
           b as (insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings)
                 select account_id, workspace_id, id, 'b-' || trellis_code, 'Source', 'B', '{}' from f
                 returning id, account_id, workspace_id, dataflow_id, trellis_code)
      insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, nominal_at, due_at)
      select account_id, workspace_id, dataflow_id, b.id, code, 1, started_by, nominal_at::timestamptz, now() from b join (values
        ('b-f1', 'tick1', 'schedule', '2026-01-01'), ('b-f1', 'tick2', 'schedule', '2026-01-01'),
        ('b-f1', 'tick3', 'schedule', '2026-01-02'), ('b-f1', 'next', 'activity', null), ('b-f1', 'again', 'retry', null),
        ('b-f1', 'byhand', 'person', null), ('b-f2', 'other1', 'activity', null), ('b-f2', 'other2', 'activity', null))
        as given (block, code, started_by, nominal_at) on given.block = b.trellis_code
       order by code = 'again', code;
      update task_runs set retry_of = (select id from task_runs where trellis_code = 'next') where trellis_code = 'again';
      update task_runs set id = default where trellis_code = 'again';
      insert into trigger_events (account_id, block_id, action_id, source_run_id, run_id)
      select r.account_id, r.block_id, r.trellis_code, s.id, r.id from task_runs r join task_runs s on s.trellis_code = 'byhand'
       where r.trellis_code in ('next', 'other1', 'other2');`)
    await admin.query("delete from schema_migrations where name = '0056-flow-runs'")
    await migrate(toOwnerUrl())
    const { rows } = await admin.query(`
      select f.cause, array_agg(r.trellis_code::text order by r.trellis_code) as runs, c.trellis_code as by
        from task_runs r join flow_runs f on f.id = r.flow_run_id left join task_runs c on c.id = f.cause_run_id
       group by f.id, c.trellis_code order by 2`)
    expect(rows).toEqual([
      { cause: 'person', runs: ['again', 'byhand', 'next'], by: null },
      { cause: 'event', runs: ['other1', 'other2'], by: 'byhand' },
      { cause: 'schedule', runs: ['tick1', 'tick2'], by: null },
      { cause: 'schedule', runs: ['tick3'], by: null },
    ])
  } finally {
    await admin.end()
  }
})
