import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withClient } from './connect.ts'
import { type AnyDb, transaction } from './database.ts'
import { type TestDatabase, createTestDatabase } from './testing.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => await database.close())

const readProcessId = async (db: AnyDb) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid

/** Waits until the server closed it, so that the driver has been told. */
async function terminate(pid: number | undefined): Promise<void> {
  await withClient({ connectionString: database.adminUrl }, async (admin) => {
    await admin.query('select pg_terminate_backend($1, 20000)', [pid])
  })
}

/** An unhandled `error` event would fail this file. */
test.each(['platform', 'account'])(
  'a connection of the %s lost between two statements of a transaction rejects the next one and ends nothing else',
  async (view) => {
    const db = view === 'platform' ? database.db : database.forAccount(1)
    for (let cut = 0; cut < 5; cut += 1) {
      const lost = transaction({ db: db as AnyDb }, async (ctx) => {
        await terminate(await readProcessId(ctx.db))
        await sql`select 1`.execute(ctx.db)
      })
      await expect(lost).rejects.toThrow(/not queryable|Connection terminated|terminating connection/)
      expect(await readProcessId(db)).toBeGreaterThan(0)
    }
  },
)

test('a connection of its own lost in the middle of its work ends nothing else', async () => {
  const lost = withClient({ connectionString: database.url }, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    await terminate(rows[0]?.pid)
    await client.query('select 1')
  })
  await expect(lost).rejects.toThrow(/not queryable|Connection terminated|terminating connection/)
})

test('an account whose transactions wait for each other leaves connections to the others', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const crowd = Array.from({ length: 20 }, () =>
    transaction({ db: database.forAccount(1) as AnyDb }, async ({ db }) => {
      await sql`select 1`.execute(db)
      await released
    }),
  )
  expect(await readProcessId(database.forAccount(2))).toBeGreaterThan(0)
  release()
  await Promise.all(crowd)
})
