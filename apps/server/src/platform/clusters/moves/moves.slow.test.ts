import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as firewall from '@trellis/contract/database-admin/firewall.endpoints'
import * as profiles from '@trellis/contract/database-admin/profiles.endpoints'
import * as roles from '@trellis/contract/database-admin/roles.endpoints'
import { listTables } from '@trellis/contract/explorer/explorer.endpoints'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { toWorkspaceNames } from '@trellis/workspace-db/names'
import { runPgDump } from '@trellis/workspace-db/move/run-pg-dump'
import { withSession } from '@trellis/workspace-db/session'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAdmin } from '../../../admin/run-admin.ts'
import { type TestAccount, makeAccount } from '../../../testing/accounts.ts'
import { handleSweep } from '../../../modules/database-admin/sweep.handler.ts'
import { workerEnv } from '../../../testing/own-process.ts'
import { type TestApp, startTestApp } from '../../../testing/test-app.ts'
import { type LoginSecret, type ReadyWorkspace, makeReadyWorkspace } from '../../../testing/workspace.ts'
import { openWorkspaceDatabase } from '../../workspace-database/open-database.ts'
import { endLapsedMoves } from './end-move.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-moves-'))
const settings = { shared_buffers: '32MB', fsync: 'off', max_connections: 100 }
let [east, west]: Postgres[] = []
let app: TestApp
let account: TestAccount

beforeAll(async () => {
  chmodSync(folder, 0o755)
  east = await startPostgres({ dataDir: join(folder, 'east'), settings })
  west = await startPostgres({ dataDir: join(folder, 'west'), settings })
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off', TRELLIS_CLUSTER_URL: (east as Postgres).url } })
  account = await makeAccount(app)
  const file = join(folder, 'address')
  writeFileSync(file, (west as Postgres).url)
  await admin('clusters', 'add', 'west', '--address-file', file)
}, 120_000)
afterAll(async () => {
  await app.close()
  await east?.stop()
  await west?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function admin(...args: string[]) {
  const out: string[] = []
  const take = (line: string) => void out.push(line)
  const code = await runAdmin(args, { readConfig: () => app.config, print: take, say: take })
  return { code, text: out.join('\n') }
}

const openNow = ({ id, integrationCode }: ReadyWorkspace) =>
  openWorkspaceDatabase(app.ctx, { workspaceId: id, integrationCode })

async function inDatabase(workspace: ReadyWorkspace, text: string, role: 'ro' | 'rw' = 'rw') {
  const { cluster, database, credentials } = await openNow(workspace)
  return (await withSession(cluster, { database, credentials, role }, (session) => session.query({ text }))).rows
}

const findCode = async ({ id }: ReadyWorkspace) => {
  const { rows } = await app.database.pool.query<{ code: string }>(
    'select trellis_code as code from workspaces where id = $1',
    [id],
  )
  return rows[0]?.code ?? ''
}

const hasDatabase = async (clusterId: number, { key }: ReadyWorkspace) => {
  const cluster = await app.ctx.ports.cluster.openById(app.ctx, clusterId)
  const { rowCount } = await cluster.admin.query(
    "select from pg_database where datname = $1 union all select from pg_roles where starts_with(rolname, $1 || '_')",
    [toWorkspaceNames(key).database],
  )
  return (rowCount ?? 0) > 0
}

/** What people can make, and what is easily lost. */
const MADE = [
  `create type mood as enum ('sad', 'it''s "fine"')`,
  `create domain positive as int check (value > 0)`,
  `create function twice(n int) returns int language plpgsql immutable as $f$ begin return n * 2; -- ; "';
     end $f$`,
  `create table customers (id int generated always as identity primary key, name text not null unique, mood mood, size positive,
     big numeric, at timestamptz default now(), bytes bytea, tags text[], twice int generated always as (size * 2) stored)`,
  `create table "Orders; ""odd""" (id bigserial primary key, customer int references customers on delete cascade deferrable,
     total numeric(12,2), doc jsonb) `,
  `insert into customers (name, mood, size, big, bytes, tags)
     select 'name ' || n || E'\\n\\t\\\\', 'sad', n, n * 1e30, decode(md5(n::text), 'hex'), array[n::text, null, '{"'] from generate_series(1, 3000) n`,
  `insert into "Orders; ""odd""" (customer, total, doc) select n, n / 7.0, '{"a": [1, null]}' from generate_series(1, 3000) n`,
  `create table parts (id int, at date) partition by range (at)`,
  `create table parts_2026 partition of parts for values from ('2026-01-01') to ('2027-01-01')`,
  `insert into parts select n, '2026-03-01' from generate_series(1, 100) n`,
  `create index on customers (twice(size)) where twice(size) > 10`,
  `create view rich as select * from "Orders; ""odd""" where total > 100`,
  `create materialized view sums as select customer, sum(total) from "Orders; ""odd""" group by 1`,
  `create function stamp() returns trigger language plpgsql as $$ begin new.doc := '{"changed": true}'; return new; end $$`,
  `create trigger stamp before update on "Orders; ""odd""" for each row execute function stamp()`,
  `create rule never as on delete to parts_2026 do instead nothing`,
  `alter table customers enable row level security`,
  `create policy everybody on customers using (true)`,
  `create statistics together on name, mood from customers`,
  `create sequence counter start 7 increment 3`,
  `select nextval('counter'), nextval('counter')`,
  `comment on table customers is 'who; buys'`,
  `comment on column customers.big is 'large'`,
  `create unlogged table scratch as select 1 as n`,
]

async function makeRich(address: string): Promise<{ workspace: ReadyWorkspace; login: LoginSecret }> {
  const workspace = await makeReadyWorkspace(app, { account, address })
  const { params, integrationCode: integration_trellis_code } = workspace
  const [viewer] = (await account.owner.call(roles.listDatabaseRoles, { params })).data
  const createdResponse = await account.owner.call(profiles.createExternalProfile, {
    params,
    body: {
      integration_trellis_code,
      name: 'Tool',
      role_trellis_codes: [viewer?.role_trellis_code],
      group_trellis_codes: [],
    },
  })
  const rules = [{ name: 'Here', cidr: '127.0.0.1' }]
  await account.owner.call(firewall.setFirewall, { params, body: { integration_trellis_code, rules } })
  await workspace.sql(...MADE)
  return { workspace, login: createdResponse.data.secret }
}

/** As the person's own tool, with the password of before. */
async function askAsTool(workspace: ReadyWorkspace, { user_name: user, password }: LoginSecret): Promise<unknown[]> {
  const { data } = await account.owner.call(firewall.getConnection, { params: workspace.params })
  const { host, port, database } = data
  const client = new pg.Client({ host, port, database, user, password })
  await client.connect()
  try {
    return (await client.query('select count(*)::int as n from data.customers')).rows
  } finally {
    await client.end()
  }
}

/** Rows, objects, owners and rights, as another program sees them. */
async function dump(workspace: ReadyWorkspace): Promise<string[]> {
  const { cluster, database } = await openNow(workspace)
  const text = await runPgDump(cluster.adminConfig(database), ['--exclude-schema=trellis'])
  return text.split('\n').toSorted()
}

async function canWrite(clusterId: number, workspace: ReadyWorkspace): Promise<boolean> {
  const { database, credentials } = await openNow(workspace)
  const cluster = await app.ctx.ports.cluster.openById(app.ctx, clusterId)
  return await withSession(cluster, { database, credentials, role: 'rw' }, async (session) => {
    await session.query({ text: 'create table probe (n int)' })
    await session.query({ text: 'drop table probe' })
    return true
  }).catch(() => false)
}

const readMove = async ({ id }: ReadyWorkspace) =>
  (await app.database.pool.query<{ state: string }>('select state from workspace_moves where workspace_id = $1', [id]))
    .rows

async function startMove(
  workspace: ReadyWorkspace,
): Promise<{ child: ChildProcess; reaches(step: string): Promise<void> }> {
  const command = ['workspaces', 'move', await findCode(workspace), '--to', 'west']
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../../admin/main.ts'), ...command], {
    env: { ...workerEnv(app), TRELLIS_CLUSTER_URL: app.config.clusterUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said += text.toString()))
  const reaches = async (step: string) =>
    await expect.poll(() => said, { timeout: 60_000, interval: 5 }).toMatch(new RegExp(`: ${step}( |$)`, 'm'))
  return { child, reaches }
}

test('a workspace is moved with everything in it, and moved back', async () => {
  const { workspace, login } = await makeRich('rich')
  const before = await dump(workspace)
  const code = await findCode(workspace)
  const moved = await admin('workspaces', 'move', code, '--to', 'west')
  expect(moved.text).toContain(`${code} is on west`)
  expect(moved.code).toBe(0)
  expect(await dump(workspace)).toEqual(before)
  expect([await hasDatabase(1, workspace), await hasDatabase(2, workspace)]).toEqual([false, true])
  expect(await inDatabase(workspace, "select current_setting('port')")).toEqual([[String(west?.port)]])
  expect(await inDatabase(workspace, "select nextval('counter')")).toEqual([['13']])
  expect(
    await inDatabase(workspace, "insert into customers (name, size) values ('new', 4) returning id, twice"),
  ).toEqual([['3001', '8']])
  await handleSweep(app.ctx)
  expect(await askAsTool(workspace, login)).toEqual([{ n: 3001 }])
  const listedResponse = await account.owner.call(listTables, { params: { ...workspace.params, schema_name: 'data' } })
  expect(listedResponse.data.items.map(({ name }) => name)).toContain('Orders; "odd"')
  expect((await admin('workspaces', 'move', code, '--to', 'west')).text).toContain('on this cluster already')
  expect((await admin('workspaces', 'move', code, '--to', 'main')).code).toBe(0)
  expect([await hasDatabase(1, workspace), await hasDatabase(2, workspace)]).toEqual([true, false])
  expect(await canWrite(1, workspace)).toBe(true)
}, 180_000)

test('meanwhile people read, are told why they can not write, and go on afterwards', async () => {
  const { workspace, login } = await makeRich('busy')
  const { child, reaches } = await startMove(workspace)
  const ended = once(child, 'exit')
  await reaches('indexes')
  child.kill('SIGSTOP')
  expect(await inDatabase(workspace, 'select count(*) from customers', 'ro')).toEqual([['3000']])
  await expect(inDatabase(workspace, 'delete from customers')).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('being moved to another server. Reading works'),
  })
  await expect(askAsTool(workspace, login)).rejects.toThrow('permission denied for database')
  expect([await canWrite(1, workspace), await canWrite(2, workspace)]).toEqual([false, false])
  expect((await admin('workspaces', 'move', await findCode(workspace), '--to', 'west')).text).toContain(
    'being moved already',
  )
  child.kill('SIGCONT')
  expect(await ended).toEqual([0, null])
  expect(await canWrite(2, workspace)).toBe(true)
}, 180_000)

test.for(['close', 'roles', 'schema', 'rows', 'indexes', 'compare', 'commit', 'open'])(
  'killed at "%s", the workspace is wholly on one cluster, and takes writes there',
  { timeout: 180_000 },
  async (step) => {
    const { workspace, login } = await makeRich(`killed${step}`)
    const before = await dump(workspace)
    const { child, reaches } = await startMove(workspace)
    const gone = once(child, 'exit')
    await reaches(step)
    child.kill('SIGKILL')
    await gone
    const writable = [await canWrite(1, workspace), await canWrite(2, workspace)]
    expect(writable.filter(Boolean).length).toBeLessThanOrEqual(1)
    await app.database.pool.query("update workspace_moves set lease_until = now() - interval '1 second'")
    await endLapsedMoves(app.ctx)
    expect(await readMove(workspace)).toEqual([])
    expect(await dump(workspace)).toEqual(before)
    const { clusterId } = await openNow(workspace)
    const other = clusterId === 1 ? 2 : 1
    expect([await hasDatabase(clusterId, workspace), await hasDatabase(other, workspace)]).toEqual([true, false])
    expect([await canWrite(clusterId, workspace), await canWrite(other, workspace)]).toEqual([true, false])
    await handleSweep(app.ctx)
    expect(await askAsTool(workspace, login)).toEqual([{ n: 3000 }])
  },
)

test('a move that somebody else has ended can not commit any more', async () => {
  const { workspace } = await makeRich('late')
  const { child, reaches } = await startMove(workspace)
  const ended = once(child, 'exit')
  await reaches('indexes')
  child.kill('SIGSTOP')
  await app.database.pool.query("update workspace_moves set lease_until = now() - interval '1 second'")
  await endLapsedMoves(app.ctx)
  expect(await canWrite(1, workspace)).toBe(true)
  child.kill('SIGCONT')
  expect(await ended).toEqual([1, null])
  expect((await openNow(workspace)).clusterId).toBe(1)
  expect(await canWrite(1, workspace)).toBe(true)
  expect(await hasDatabase(2, workspace)).toBe(false)
}, 180_000)
