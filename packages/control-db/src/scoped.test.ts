import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteScoped, insertScoped, scoped, updateScoped } from './scoped.ts'
import { type TestDatabase, testDatabase } from './testing.ts'

let database: TestDatabase
let ours: number
let theirs: number

beforeAll(async () => {
  database = await testDatabase()
  const make = async (code: string) => {
    const row = await database.db
      .insertInto('accounts')
      .values({ trellis_code: code, name: code, account_type: 'team' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }
  ours = await make('ours')
  theirs = await make('theirs')
})
afterAll(async () => await database.close())

const scopeOf = (id: number) => ({ db: database.forAccount(id), account: { id } })

test('each account sees, changes and removes its own rows only', async () => {
  for (const id of [ours, theirs]) {
    await insertScoped(scopeOf(id), 'workspaces', {
      trellis_code: `w${id}`,
      name: 'First',
      workspace_address: 'first',
    }).execute()
  }
  const seen = await scoped(scopeOf(ours), 'workspaces').select('trellis_code').execute()
  expect(seen).toEqual([{ trellis_code: `w${ours}` }])
  await updateScoped(scopeOf(ours), 'workspaces').set({ name: 'Renamed' }).execute()
  await deleteScoped(scopeOf(ours), 'workspaces').execute()
  const left = await database.db.selectFrom('workspaces').select(['name', 'account_id']).execute()
  expect(left).toEqual([{ name: 'First', account_id: theirs }])
})

test('row-level security holds even when the filter is forgotten', async () => {
  const db = database.forAccount(ours)
  const { rows } = await sql<{ name: string }>`select name from accounts`.execute(db)
  expect(rows).toEqual([{ name: 'ours' }])
  await expect(
    sql`insert into workspaces (account_id, trellis_code, name, workspace_address) values (${theirs}, 'x', 'x', 'x')`.execute(
      db,
    ),
  ).rejects.toThrow(/row-level security/)
})

test('many accounts on few connections never see each other', async () => {
  const rounds = Array.from({ length: 100 }, async (_, index) => {
    const id = index % 2 ? ours : theirs
    const { rows } = await sql<{ id: number }>`select id from accounts`.execute(database.forAccount(id))
    expect(rows).toEqual([{ id }])
  })
  await Promise.all(rounds)
})

test('a connection that names no account sees nothing', async () => {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rowCount } = await client.query('select 1 from accounts')
  await client.end()
  expect(rowCount).toBe(0)
})
