import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDatabaseUrl, type RunningMain, runMain } from '../supervisor/testing/running-main.ts'
import type { Finding } from './check/finding.ts'

const patience = { timeout: 100_000, interval: 200 }
let folder: string
let home: string
let port: number
let trellis: RunningMain

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-admin-'))
  chmodSync(folder, 0o755)
  home = join(folder, 'home')
  port = await findFreePort()
  trellis = runMain({ TRELLIS_HOME: home, TRELLIS_PORT: String(port), TRELLIS_LOG_LEVEL: 'error' })
  await trellis.ready
}, 240_000)

afterAll(async () => {
  trellis.child.kill('SIGTERM')
  await trellis.ended
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

async function admin(args: string[], settings: Record<string, string> = {}) {
  const outside = Object.entries(process.env).filter(([name]) => !/^(TRELLIS|VITEST|NODE_OPTIONS)/.test(name))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], {
    env: { ...Object.fromEntries(outside), TRELLIS_HOME: home, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr.on('data', (text: Buffer) => (err += text.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

async function check(): Promise<{ code: number | null; err: string; findings: Finding[] }> {
  const { code, out, err } = await admin(['doctor', '--json'])
  return { code, err, findings: (JSON.parse(out || '{"findings":[]}') as { findings: Finding[] }).findings }
}

async function query<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString: readDatabaseUrl(home).replace(/postgres$/, 'trellis') })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(sql, values)).rows
  } finally {
    await client.end()
  }
}

const audited = async (action: string) =>
  (
    await query<{ n: number }>("select count(*)::int as n from audit_lines where scope = 'system' and action = $1", [
      action,
    ])
  )[0]?.n

test('a sound installation passes every check while it runs', async () => {
  const { code, findings, err } = await check()
  expect(
    findings.filter(({ status }) => status === 'failed'),
    err,
  ).toEqual([])
  expect(code).toBe(0)
  expect(new Set(findings.map((finding) => finding.check))).toEqual(
    new Set([
      'disk space',
      'version',
      'primary',
      'direct address',
      'application login',
      'cluster login',
      'migrations',
      'root key',
      'file store',
      'mail',
      'web app',
      'postgres',
      'cluster state',
      'jobs',
      'secrets',
      'files',
      'workspaces',
      'database access',
    ]),
  )
})

test('a failed job is listed, and runs again when retried', async () => {
  const [job] = await query<{ id: string; name: string }>(
    `insert into jobs.job (name, data, state, retry_count, retry_limit, completed_on, output)
     select name, '{}', 'failed', 2, 2, now(), '{"name":"Error","message":"no luck"}' from jobs.schedule order by name limit 1
     returning id, name`,
  )
  const id = job?.id ?? ''
  const listed = await admin(['jobs', 'list', '--failed'])
  expect(listed.out).toContain(id)
  expect(listed.out).toContain('no luck')
  expect(await admin(['jobs', 'retry', id])).toMatchObject({
    code: 0,
    out: expect.stringContaining('1 job queued again'),
  })
  await expect
    .poll(async () => (await query('select state from jobs.job where id = $1', [id]))[0]?.['state'], patience)
    .toBe('completed')
  expect(await audited('jobRetried')).toBe(1)
  expect(await admin(['jobs', 'retry', id])).toMatchObject({ code: 1, err: `There is no failed job ${id}.\n` })
  expect((await admin(['jobs', 'retry', '--all'])).code).toBe(0)
})

test('the root key is replaced while the product runs', async () => {
  expect((await admin(['keys', 'rotate'])).out).toMatch(/data keys are protected by the new root key/)
  expect(await audited('rootKeyRotated')).toBe(1)
  expect((await check()).code).toBe(0)
  expect((await admin(['keys', 'rotate', '--finish'])).code).toBe(0)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  expect((await check()).findings.filter((finding) => finding.check === 'secrets')).toEqual([
    { check: 'secrets', status: 'ok', detail: 'opens all stored secrets' },
  ])
})

test('what is missing, left over or unreadable is found', async () => {
  await query('create database w_00000000000000ff')
  await query("insert into schema_migrations (name, checksum) values ('9999-from-later', 'x')")
  await query(
    `insert into table_exports (account_id, workspace_id, integration_code, schema_name, table_name, request, status, expires_at)
     select account_id, id, 'x', 'public', 't', '{}', 'completed', now() + interval '1 day' from workspaces limit 1`,
  )
  mkdirSync(join(home, 'objects', 'exports'), { recursive: true })
  writeFileSync(join(home, 'objects', 'exports', 'orphan~'), 'x', { mode: 0o600 })
  const key = join(home, 'keys', 'root.key')
  renameSync(key, `${key}.away`)
  const { code, findings } = await check()
  renameSync(`${key}.away`, key)
  await query('drop database w_00000000000000ff')
  await query("delete from schema_migrations where name = '9999-from-later'")
  await query("delete from table_exports where table_name = 't'")
  expect(code).toBe(1)
  expect(findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        check: 'migrations',
        status: 'warning',
        detail: expect.stringContaining('9999-from-later'),
      }),
      expect.objectContaining({ check: 'files', status: 'failed', detail: expect.stringContaining('exports/') }),
      expect.objectContaining({ check: 'root key', status: 'failed', detail: expect.stringContaining('missing') }),
      expect.objectContaining({
        check: 'workspaces',
        status: 'warning',
        detail: expect.stringContaining('w_00000000000000ff'),
      }),
    ]),
  )
})

test('missing migrations are named, and applied by the command', async () => {
  const name = '0034-finished-runs'
  const [row] = await query<{ checksum: string }>('delete from schema_migrations where name = $1 returning checksum', [
    name,
  ])
  const { code, findings } = await check()
  await query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, row?.checksum])
  expect(code).toBe(1)
  expect(findings).toContainEqual({
    check: 'migrations',
    status: 'failed',
    detail: `The tables are older than this version: migration ${name} is missing`,
    advice: 'Run: npm run -s trellis -- admin migrate',
  })
  expect(await admin(['migrate'])).toMatchObject({ code: 0, out: 'The tables are up to date.\n' })
})

test('used wrongly it says how, with exit code 2', async () => {
  expect(await admin(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('jobs retry <id>') })
  expect(await admin(['keys', '--help'])).toMatchObject({ code: 0, out: expect.stringContaining('root-previous.key') })
  expect((await admin([])).code).toBe(2)
  expect(await admin(['jobs', 'burn'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('no command "jobs burn"'),
  })
  expect((await admin(['check', '--all'])).code).toBe(2)
  expect((await admin(['jobs', 'retry'])).code).toBe(2)
  expect(await admin(['check'], { TRELLIS_HOME: join(folder, 'nothing') })).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no data of Trellis'),
  })
})

test('when the product is stopped it says so and starts Postgres for the command', async () => {
  trellis.child.kill('SIGTERM')
  await trellis.ended
  const { code, err } = await check()
  expect(err).toContain('Trellis is not running')
  expect(code).toBe(0)
})
