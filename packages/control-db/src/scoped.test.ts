import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteScoped, insertScoped, scoped, updateScoped } from './scoped.ts'
import { type TestDatabase, createTestDatabase } from './testing.ts'

let database: TestDatabase
let ours: number
let theirs: number

beforeAll(async () => {
  database = await createTestDatabase()
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

const createScope = (id: number) => ({ db: database.forAccount(id), account: { id } })

test('each account sees, changes and removes its own rows only', async () => {
  for (const id of [ours, theirs]) {
    await insertScoped(createScope(id), 'workspaces', {
      trellis_code: `w${id}`,
      name: 'First',
      workspace_address: 'first',
    }).execute()
  }
  const seen = await scoped(createScope(ours), 'workspaces').select('trellis_code').execute()
  expect(seen).toEqual([{ trellis_code: `w${ours}` }])
  await updateScoped(createScope(ours), 'workspaces').set({ name: 'Renamed' }).execute()
  await deleteScoped(createScope(ours), 'workspaces').execute()
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

test('rows of dataflows, blocks, versions and runs are seen by their own account only', async () => {
  for (const id of [ours, theirs]) {
    await sql`with place as (
        insert into workspaces (account_id, trellis_code, name, workspace_address)
        values (${id}, ${`p${id}`}, 'Place', 'place') returning id, account_id),
      flow as (insert into dataflows (account_id, workspace_id, trellis_code, name)
        select account_id, id, ${`f${id}`}, 'Flow' from place returning id, account_id, workspace_id),
      block as (insert into task_blocks (account_id, workspace_id, dataflow_id, trellis_code, kind, name, settings)
        select account_id, workspace_id, id, ${`b${id}`}, 'Source', 'Block', '{}' from flow
        returning id, account_id, workspace_id, dataflow_id),
      version as (insert into task_block_versions (block_id, account_id, version, settings)
        select id, account_id, 1, '{}' from block)
      insert into task_runs (account_id, workspace_id, dataflow_id, block_id, trellis_code, block_version, started_by, due_at)
      select account_id, workspace_id, dataflow_id, id, ${`r${id}`}, 1, 'person', now() from block`.execute(database.db)
  }
  for (const table of ['dataflows', 'task_blocks', 'task_block_versions', 'task_runs'] as const) {
    const { rows } = await sql<{ account_id: number }>`select account_id from ${sql.table(table)}`.execute(
      database.forAccount(ours),
    )
    expect(rows).toEqual([{ account_id: ours }])
    const moved = sql`update ${sql.table(table)} set account_id = ${theirs}`.execute(database.forAccount(ours))
    await expect(moved).rejects.toThrow(/row-level security/)
  }
})

test('a version names the tables it writes, whatever its kind', async () => {
  const settings = (value: object) => JSON.stringify(value)
  const { rows } = await sql`select written_names(settings::json, 'table_name') as names from (values
    (${settings({ write: { schema_name: 's', table_name: 'one' } })}),
    (${settings({ subtasks: [{ write: null }, { write: { table_name: 'two' } }, { write: { table_name: 'three' } }] })}),
    (${settings({ write: { table_name: 'four' }, code: '\0' })}), (${settings({ write: null })}), (${settings({})})) as version (settings)`.execute(
    database.db,
  )
  expect(rows).toEqual([{ names: ['one'] }, { names: ['two', 'three'] }, { names: [] }, { names: [] }, { names: [] }])
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
  const counts: (number | null)[] = []
  for (const table of ['accounts', 'task_runs']) counts.push((await client.query(`select 1 from ${table}`)).rowCount)
  await client.end()
  expect(counts).toEqual([0, 0])
})
