import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { login, refreshToken } from '@trellis/contract/identity/identity.endpoints'
import { type TableRows, readRows } from '@trellis/embedded/backup/read-rows'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { readConfig } from '../../platform/config.ts'
import { createLocalStore } from '../../platform/object-store/local-store.ts'
import { readDatabaseUrl, type RunningMain, runMain } from '../../supervisor/testing/running-main.ts'
import { createClient, type TestClient } from '../../testing/test-client.ts'
import type { Finding } from '../check/finding.ts'
import { runAdmin } from '../run-admin.ts'

const patience = { timeout: 100_000, interval: 200 }
const EMAIL = 'demo@trellis.local'
/** Not written by running dataflows. */
const QUIET = [
  'public.accounts',
  'public.account_members',
  'public.profiles',
  'public.data_keys',
  'public.task_block_versions',
  'public.table_exports',
  'public.schema_migrations',
  'public.kept',
]
let folder: string
let home: string
let backup: string
let passphrase: string
let port: number
let trellis: RunningMain
let client: TestClient
let password: string
let before: TableRows[]
let firedBefore: Tick[]
let exportId: string

interface Tick {
  id: number
  outcome: string | null
  run_id: number | null
  runs: number
}

async function query<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> {
  const connection = new pg.Client({ connectionString: toUrl('trellis') })
  connection.on('error', () => {})
  await connection.connect()
  try {
    return (await connection.query<R>(sql, values)).rows
  } finally {
    await connection.end()
  }
}

const toUrl = (database: string) => readDatabaseUrl(home).replace(/postgres$/, database)

async function findWorkspaceDatabase(): Promise<string> {
  const [row] = await query<{ datname: string }>("select datname from pg_database where datname ~ '^w_[0-9a-f]{16}$'")
  return row?.datname ?? ''
}

async function readAll(): Promise<TableRows[]> {
  return [...(await readRows(toUrl('trellis'))), ...(await readRows(toUrl(await findWorkspaceDatabase())))]
}

async function admin(args: string[], settings: Record<string, string> = {}) {
  let [out, err] = ['', '']
  const code = await runAdmin(args, {
    readConfig: () => readConfig({ TRELLIS_HOME: home, ...settings }),
    print: (line) => (out += `${line}\n`),
    say: (line) => (err += `${line}\n`),
  })
  return { code, out, err }
}

const start = () => runMain({ TRELLIS_HOME: home, TRELLIS_PORT: String(port), TRELLIS_LOG_LEVEL: 'error' })

async function addTick(block: string, seconds: number): Promise<number> {
  const [tick] = await query<{ id: number }>(
    `insert into schedule_ticks (account_id, block_id, block_version, action_id, nominal_at)
     select t.account_id, t.block_id, t.block_version, t.action_id, date_trunc('second', clock_timestamp()) + make_interval(secs => $2)
       from schedule_ticks t join task_blocks b on b.id = t.block_id where b.name = $1 order by t.id limit 1 returning id`,
    [block, seconds],
  )
  return Number(tick?.id)
}

const listTicks = () =>
  query<Tick & { is_due: boolean }>(
    `select t.id::int, t.outcome, t.run_id::int, t.nominal_at <= now() as is_due,
            (select count(*)::int from task_runs r where r.block_id = t.block_id and r.nominal_at = t.nominal_at) as runs
       from schedule_ticks t order by t.id`,
  )
const countOpenRuns = async () =>
  (
    await query<{ n: number }>(
      "select count(*)::int as n from task_runs where status not in ('SUCCESS', 'FAILED', 'EXCEPTION', 'SYSTEM_BLOCKED')",
    )
  )[0]?.n

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-drill-'))
  chmodSync(folder, 0o755)
  home = join(folder, 'home')
  backup = join(folder, 'backup')
  passphrase = join(folder, 'passphrase')
  writeFileSync(passphrase, 'four words of a song\n')
  port = await findFreePort()
  trellis = start()
  await trellis.ready
  password = /Password +(\S+)/.exec(trellis.stdout())?.[1] ?? ''
  client = createClient(`http://127.0.0.1:${port}`)
}, 300_000)

afterAll(async () => {
  trellis.child.kill('SIGTERM')
  await trellis.ended
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

afterEach(() => void vi.unstubAllEnvs())

async function fillInstallation(): Promise<void> {
  // The flow is added once the sample data exists.
  await expect
    .poll(
      async () =>
        await query("select 1 from schedule_ticks t join task_blocks b on b.id = t.block_id where b.name = 'Ad spend'"),
      patience,
    )
    .toHaveLength(1)
  const workspace = new pg.Client({ connectionString: toUrl(await findWorkspaceDatabase()) })
  await workspace.connect()
  await workspace.query('create table public.kept as select n, md5(n::text) as text from generate_series(1, 5000) as n')
  await workspace.end()
  const [row] = await query<{ id: string }>(
    `insert into table_exports (account_id, workspace_id, integration_code, schema_name, table_name, request, status, expires_at)
     select account_id, id, 'x', 'public', 't', '{}', 'completed', now() + interval '1 day' from workspaces limit 1 returning id`,
  )
  exportId = row?.id ?? ''
  await createLocalStore(join(home, 'objects')).put(`exports/${exportId}`, Buffer.from('a,b\n1,2\n'), {
    contentType: 'text/csv',
  })
}

test('a backup is made while runs go on and schedules fire', async () => {
  expect((await client.call(login, { body: { email: EMAIL, password } })).status).toBe(200)
  await fillInstallation()
  const fired = await addTick('Shop orders', 0)
  await expect
    .poll(async () => (await listTicks()).find(({ id }) => id === fired), patience)
    .toMatchObject({ outcome: 'fired', runs: 1 })
  await expect.poll(countOpenRuns, patience).toBe(0)
  firedBefore = (await listTicks()).filter(({ outcome }) => outcome !== null)
  before = await readAll()
  await addTick('Shop orders', 0)
  await addTick('Ad spend', 20)
  const made = await admin(['backup', backup, '--passphrase-file', passphrase])
  expect(made, made.err).toMatchObject({ code: 0 })
  expect(made.out).toContain('The keys are in it, sealed with the passphrase.')
  expect(readFileSync(join(backup, 'keys.sealed'), 'utf8')).not.toContain(
    readFileSync(join(home, 'keys', 'root.key'), 'utf8').trim(),
  )
  expect(await admin(['backup', backup])).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
  expect(await admin(['restore', backup, '--passphrase-file', passphrase])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Trellis already runs here'),
  })
})

test('a trial restore finds every row of the tables that did not change, and opens the secrets', async () => {
  const trials = join(folder, 'trials')
  mkdirSync(trials)
  vi.stubEnv('TMPDIR', trials)
  const { code, out, err } = await admin(['verify', backup, '--passphrase-file', passphrase, '--json'])
  const { findings, tables } = JSON.parse(out || '{}') as { findings: Finding[]; tables: TableRows[] }
  expect(
    findings.filter(({ status }) => status === 'failed'),
    err,
  ).toEqual([])
  expect(code).toBe(0)
  const quiet = before.filter(({ table }) => QUIET.includes(table))
  expect(quiet).toHaveLength(QUIET.length)
  for (const table of quiet) {
    expect(
      tables.find((tableRows) => tableRows.database === table.database && tableRows.table === table.table),
    ).toEqual(table)
  }
  expect(quiet.find(({ table }) => table === 'public.kept')?.rows).toBe(5000)
  expect(quiet.find(({ table }) => table === 'public.data_keys')?.rows).toBeGreaterThan(0)
  expect(tables.length).toBeGreaterThanOrEqual(before.length)
  expect(findings).toContainEqual({ check: 'secrets', status: 'ok', detail: 'opens all stored secrets' })
  expect(readdirSync(trials)).toEqual([])
})

test('damaged, cut off, of another passphrase: one sentence each, and nothing is written', async () => {
  const broken = join(folder, 'broken')
  const target = { TRELLIS_HOME: join(folder, 'target') }
  const restore = async () => await admin(['restore', broken, '--passphrase-file', passphrase], target)
  cpSync(backup, broken, { recursive: true })
  const wrong = join(folder, 'wrong')
  writeFileSync(wrong, 'another four words\n')
  expect(await admin(['restore', broken, '--passphrase-file', wrong], target)).toMatchObject({
    code: 1,
    err: 'The passphrase does not open the keys of this backup.\n',
  })
  expect(await admin(['restore', broken], target)).toMatchObject({
    code: 1,
    err: expect.stringContaining('--passphrase-file'),
  })
  const archive = join(broken, 'database', 'base.tar.zst')
  appendFileSync(archive, 'x')
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining(`${archive} is damaged`) })
  cpSync(join(backup, 'database', 'base.tar.zst'), archive)
  writeFileSync(join(broken, 'objects', 'exports', `${exportId}~`), 'a,b\n1,3\n')
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining(`exports/${exportId} is damaged`) })
  rmSync(join(broken, 'manifest.json'))
  expect(await restore()).toMatchObject({ code: 1, err: expect.stringContaining('holds no whole backup') })
  expect(existsSync(join(target.TRELLIS_HOME, 'postgres'))).toBe(false)
  rmSync(broken, { recursive: true })
})

test('after the loss of everything the installation goes on as of the backup', async () => {
  trellis.child.kill('SIGTERM')
  await trellis.ended
  expect(await admin(['restore', backup, '--passphrase-file', passphrase])).toMatchObject({
    code: 1,
    err: expect.stringMatching(/There is data already: postgres, objects, keys.*--replace/),
  })
  rmSync(home, { recursive: true })
  const restored = await admin(['restore', backup, '--passphrase-file', passphrase])
  expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringContaining('Start Trellis.') })
  const again = await admin(['restore', backup, '--passphrase-file', passphrase, '--replace'])
  expect(again, again.err).toMatchObject({ code: 0 })
  expect(readdirSync(home).filter((name) => name.includes('.before-restore-'))).toHaveLength(3)

  trellis = start()
  await trellis.ready
  expect(trellis.stdout()).toContain(EMAIL)
  expect((await client.call(refreshToken, { body: { email: EMAIL } })).status).toBe(200)
  const freshTestClient = createClient(`http://127.0.0.1:${port}`)
  expect((await freshTestClient.call(login, { body: { email: EMAIL, password } })).status).toBe(200)
  expect((await freshTestClient.call(login, { body: { email: EMAIL, password: `${password}x` } })).status).toBe(401)
  const storedObject = await createLocalStore(join(home, 'objects')).stat(`exports/${exportId}`)
  expect(storedObject).toMatchObject({ size: 8, contentType: 'text/csv' })
})

test('no due time is run twice and none is lost', async () => {
  await expect
    .poll(async () => (await listTicks()).filter(({ is_due, outcome }) => is_due && outcome === null), patience)
    .toEqual([])
  const ticks = await listTicks()
  for (const { id, run_id } of firedBefore) {
    expect(ticks.find((tick) => tick.id === id)).toMatchObject({ outcome: 'fired', run_id, runs: 1 })
  }
  const due = ticks.filter(({ is_due }) => is_due)
  expect(due.length).toBeGreaterThan(firedBefore.length)
  for (const tick of due) expect(tick).toMatchObject({ outcome: 'fired', runs: 1 })
  await expect.poll(countOpenRuns, patience).toBe(0)
  expect(await query("select problem from task_runs where status <> 'SUCCESS'")).toEqual([])
  expect((await admin(['check'])).code).toBe(0)
})
