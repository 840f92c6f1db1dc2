import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, readMigrations } from './migrate.ts'
import { type TestDatabase, testDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
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

/** The role that owns the tables, as at a start: a superuser would see every row. */
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
