import { type Kysely, sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { withClient } from './connect.ts'
import { type AnyDb, type ControlDb, openControlDb, transaction } from './database.ts'
import { type TestDatabase, createTestDatabase } from './testing.ts'

let database: TestDatabase
/** One session per view, so that leaked state shows in the next statement. */
let control: ControlDb
let ours: number
let theirs: number

beforeAll(async () => {
  database = await createTestDatabase()
  const make = async (code: string) => {
    const row = { trellis_code: code, name: code, account_type: 'team' } as const
    return (await database.db.insertInto('accounts').values(row).returning('id').executeTakeFirstOrThrow()).id
  }
  ours = await make('ours')
  theirs = await make('theirs')
})
afterAll(async () => await database.close())
beforeEach(() => {
  control = openControlDb({ url: database.url, max: 1 })
})
afterEach(async () => await control.close())

const VIEWS = {
  account: () => control.forAccount(ours) as AnyDb,
  platform: () => control.db as AnyDb,
  'a call': () => control.inTurn('place', 'caller').db as AnyDb,
}

const any = (db: AnyDb) => db as Kysely<unknown>

/** Reads the settings after the transaction, as the pooler's next client would. */
const REMEMBER = `commit; select set_config('probe.left', concat_ws('/', pg_backend_pid(),
  nullif(current_setting('trellis.scope', true), ''), nullif(current_setting('trellis.account_id', true), '')), false)`

async function readLeftOver(db: AnyDb): Promise<{ left: string; pid: string }> {
  await sql.raw(REMEMBER).execute(any(db))
  const { rows } = await sql<{ left: string; pid: string }>`
    select current_setting('probe.left') as left, pg_backend_pid()::text as pid`.execute(any(db))
  return rows[0] as { left: string; pid: string }
}

const USES: Record<string, (db: AnyDb) => Promise<unknown>> = {
  'a statement with values': (db) => sql`select id from accounts where name <> ${'x'}`.execute(any(db)),
  'a statement without': (db) => sql`select id from accounts`.execute(any(db)),
  'a statement that fails': (db) => sql`select 1 / ${0}::int from accounts`.execute(any(db)).catch(() => undefined),
  'a transaction': (db) => transaction({ db }, (ctx) => sql`select id from accounts`.execute(any(ctx.db))),
  'a transaction that is rolled back': (db) =>
    transaction({ db }, async (ctx) => {
      await sql`select id from accounts`.execute(any(ctx.db))
      throw new Error('back')
    }).catch(() => undefined),
  'a transaction that fails': (db) =>
    transaction({ db }, (ctx) => sql`select 1 / 0 from accounts`.execute(any(ctx.db))).catch(() => undefined),
  'a transaction of another level': (db) =>
    any(db)
      .transaction()
      .setIsolationLevel('serializable')
      .execute((open) => sql`select id from accounts`.execute(open)),
}

for (const [view, open] of Object.entries(VIEWS)) {
  test.each(Object.entries(USES))(`%s leaves no scope in its session: ${view}`, async (_, use) => {
    const { pid } = await readLeftOver(open())
    await use(open())
    expect(await readLeftOver(open())).toEqual({ left: pid, pid })
  })
}

test('whatever scope a session was left with, an account sees its own rows', async () => {
  const db = control.forAccount(ours)
  await sql.raw("commit; set trellis.scope = 'system'").execute(db)
  await sql.raw(`commit; set trellis.account_id = '${theirs}'`).execute(db)
  for (const read of [sql`select id from accounts`, sql`select id from accounts where id > ${0}`]) {
    expect((await read.execute(db)).rows).toEqual([{ id: ours }])
  }
})

test('a transaction that was left open ends with its session, and never becomes that of another account', async () => {
  await control
    .forAccount(ours)
    .connection()
    .execute((db) => sql`begin`.execute(db))
  expect((await sql`select id from accounts`.execute(control.forAccount(theirs))).rows).toEqual([{ id: theirs }])
})

test('what sets the scope is no part of the answer', async () => {
  const client = await control.pool.connect()
  try {
    expect(await client.query('begin')).toMatchObject({ command: 'BEGIN', rows: [] })
    expect(await client.query('select 1 as one')).toMatchObject({ command: 'SELECT', rowCount: 1, rows: [{ one: 1 }] })
    expect(await client.query('commit')).toMatchObject({ command: 'COMMIT' })
    expect(await client.query('select $1::int as one', [1])).toMatchObject({ rowCount: 1, rows: [{ one: 1 }] })
    expect(await client.query('select 1 as one')).toMatchObject({ rowCount: 1, rows: [{ one: 1 }] })
    expect(await client.query('select 1 as one; select 2 as two')).toMatchObject([
      { rows: [{ one: 1 }] },
      { rows: [{ two: 2 }] },
    ])
  } finally {
    client.release()
  }
})

test('a transaction sees what was committed until its own first statement', async () => {
  const seen = await control.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (open) => {
      await sql`insert into rate_limits (key, window_start, count) values ('late', now(), 1)`.execute(database.db)
      return (await sql`select key from rate_limits where key = 'late'`.execute(open)).rows
    })
  expect(seen).toEqual([{ key: 'late' }])
})

const countPrepared = async ({ pool }: ControlDb) =>
  (await pool.query<{ name: string }>('select name from pg_prepared_statements')).rows

const NAMED = { name: 'late-table', text: 'select n from late_table where n > $1', values: [0] }

test('a named statement that could not be parsed at first is parsed again', async () => {
  await expect(control.pool.query(NAMED)).rejects.toMatchObject({ code: '42P01' })
  const url = new URL(new URL(database.url).pathname, database.adminUrl).href
  await withClient({ connectionString: url }, async (admin) => {
    await admin.query('create table late_table as select 7 as n; grant select on late_table to trellis_app')
  })
  for (let round = 0; round < 3; round += 1) expect((await control.pool.query(NAMED)).rows).toEqual([{ n: 7 }])
  expect(await countPrepared(control)).toEqual([{ name: 'late-table' }])
})

test('behind a pooler no statement is named', async () => {
  const pooled = openControlDb({ url: database.url, max: 1, isPooled: true })
  try {
    const query = { ...NAMED, text: 'select $1::int as n' }
    for (let round = 0; round < 2; round += 1) {
      expect((await pooled.inTurn('place', 'caller').query(query)).rows).toEqual([{ n: 0 }])
    }
    expect(await countPrepared(pooled)).toEqual([])
  } finally {
    await pooled.close()
  }
})
