import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getConnection } from '@trellis/contract/database-admin/firewall.endpoints'
import { getUsage } from '@trellis/contract/billing/billing.endpoints'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { withSession } from '@trellis/workspace-db/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAdmin } from '../../admin/run-admin.ts'
import { handleSweep } from '../../modules/database-admin/sweep.handler.ts'
import { handleProvision } from '../../modules/workspaces/provision.handler.ts'
import { removeAllWorkspaces } from '../../modules/workspaces/removal.service.ts'
import { type TestAccount, makeAccount, makeWorkspaceRow } from '../../testing/accounts.ts'
import { type TestApp, startTestApp } from '../../testing/test-app.ts'
import { managedCode, openWorkspaceDatabase } from '../workspace-database/open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-clusters-'))
const addressFile = join(folder, 'address')
let west: Postgres
let app: TestApp
let account: TestAccount

beforeAll(async () => {
  chmodSync(folder, 0o755)
  west = await startPostgres({
    dataDir: join(folder, 'west'),
    settings: { shared_buffers: '16MB', fsync: 'off', max_connections: 60 },
  })
  writeFileSync(addressFile, `${west.url}\n`)
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
  account = await makeAccount(app)
}, 120_000)
afterAll(async () => {
  await app.close()
  await west.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function admin(...args: string[]) {
  const out: string[] = []
  const take = (line: string) => void out.push(line)
  const code = await runAdmin([...args, '--json'], { readConfig: () => app.config, print: take, say: take })
  return { code, text: out.join('\n') }
}

async function provision(address: string) {
  const row = await makeWorkspaceRow(app, account, address)
  await app.database.db.updateTable('workspaces').set({ state: 'provisioning' }).where('id', '=', row.id).execute()
  const run = { id: 'x', job: 'x', attempt: 1, isLastAttempt: false, signal: new AbortController().signal }
  await handleProvision(app.ctx, { workspace_id: row.id }, run)
  return { ...row, address, place: { workspaceId: row.id, integrationCode: managedCode(row.code) } }
}

async function findDatabases(url: 'main' | 'west'): Promise<string[]> {
  const cluster = url === 'main' ? await app.ctx.ports.cluster.open() : await app.ctx.ports.cluster.openById(app.ctx, 2)
  const { rows } = await cluster.admin.query<{ name: string }>(
    "select datname as name from pg_database where datname like 'w\\_%'",
  )
  return rows.map(({ name }) => name)
}

test('a cluster is added by an operator, whose address is stored sealed; a wrong one is refused with a sentence', async () => {
  expect(await admin('clusters', 'add', 'West', '--address-file', addressFile)).toMatchObject({ code: 2 })
  expect((await admin('clusters', 'add', 'west')).text).toContain('--address-file')
  expect((await admin('clusters', 'add', 'west', '--address-file', `${addressFile}.gone`)).text).toContain(
    'can not be read',
  )
  writeFileSync(`${addressFile}.main`, app.database.adminUrl)
  expect((await admin('clusters', 'add', 'west', '--address-file', `${addressFile}.main`)).text).toContain(
    'This is the server of cluster main already',
  )
  expect(await admin('clusters', 'add', 'west', '--address-file', addressFile, '--capacity', '2')).toMatchObject({
    code: 0,
  })
  expect((await admin('clusters', 'add', 'west', '--address-file', addressFile)).text).toMatch(/already/)
  const { rows } = await app.database.pool.query<{ id: number; address: string }>(
    "select id, address from clusters where name = 'west'",
  )
  expect(rows).toEqual([{ id: 2, address: expect.stringMatching(/^v1\./) }])
  const listed = await admin('clusters', 'list')
  expect(listed.text).not.toContain(west.password)
  expect(JSON.parse(listed.text)).toMatchObject({
    clusters: [
      { name: 'main', state: 'open', capacity: null },
      { name: 'west', state: 'open', capacity: 2, workspaces: 0, host: `127.0.0.1:${west.port}` },
    ],
  })
})

test('workspaces are placed by capacity, and everything finds them where they are', async () => {
  expect(await admin('clusters', 'change', 'main', '--full')).toMatchObject({ code: 0 })
  const first = await provision('first')
  const second = await provision('second')
  await expect(provision('third')).rejects.toThrow('No cluster has room')
  expect(await admin('clusters', 'change', 'main', '--open')).toMatchObject({ code: 0 })
  const fourth = await provision('fourth')
  const open = await openWorkspaceDatabase(app.ctx, first.place)
  const elsewhere = await openWorkspaceDatabase(app.ctx, fourth.place)
  expect(await findDatabases('west')).toHaveLength(2)
  expect(await findDatabases('west')).toContain(open.database)
  expect(await findDatabases('main')).not.toContain(open.database)
  expect(await findDatabases('main')).toContain(elsewhere.database)
  const { rows } = await withSession(open.cluster, { ...open, role: 'rw' }, (session) =>
    session.query({ text: "select current_setting('port')" }),
  )
  expect(rows).toEqual([[String(west.port)]])

  const params = { account_trellis_code: account.code, workspace_address: first.address }
  const connection = await account.owner.call(getConnection, {
    params: { ...params, integration_trellis_code: first.place.integrationCode },
  })
  expect(connection.data).toMatchObject({ port: west.port })
  await handleSweep(app.ctx)
  await account.owner.call(getUsage, { params: { account_trellis_code: account.code } })
  const { rows: sizes } = await app.database.pool.query(
    'select id from workspaces where storage_bytes > 0 and id = any($1)',
    [[first.id, second.id, fourth.id]],
  )
  expect(sizes).toHaveLength(3)
})

test('doctor looks at every cluster, and names the one that is away', async () => {
  expect((await admin('doctor')).text).not.toContain('cluster west: could not')
  await west.stop()
  expect((await admin('doctor')).text).toContain('cluster west: could not be checked')
  await expect(handleSweep(app.ctx)).rejects.toThrow()
  west = await startPostgres({
    dataDir: join(folder, 'west'),
    port: west.port,
    settings: { shared_buffers: '16MB', fsync: 'off', max_connections: 60 },
  })
  await handleSweep(app.ctx)
}, 60_000)

test('a cluster that holds workspaces, and that of the settings, can not be removed', async () => {
  expect((await admin('clusters', 'remove', 'west')).text).toContain('still has 2 workspaces')
  expect((await admin('clusters', 'remove', 'main')).text).toContain('can not be removed')
  const { rows } = await app.database.pool.query<{ id: number }>('select id from accounts where trellis_code = $1', [
    account.code,
  ])
  await app.database.pool.query("update workspaces set deleted_at = now() - interval '100 days'")
  await removeAllWorkspaces(app.ctx, rows[0]?.id ?? 0)
  expect(await findDatabases('west')).toEqual([])
  expect(await admin('clusters', 'remove', 'west')).toMatchObject({ code: 0 })
})
