import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { isRunning, sendSignal } from './process-table.ts'
import { startPostgres } from './start-postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-embedded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const settings = { shared_buffers: '16MB', max_connections: 20 }

async function ask(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql)
    return Object.values(rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

test('keeps data, password and port from one start to the next', async () => {
  const first = await startPostgres({ dataDir: folder, settings })
  await ask(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  await expect(ask(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED')

  const second = await startPostgres({ dataDir: folder, settings })
  expect(second.url).toBe(first.url)
  expect(second.port).toBeLessThan(32_768)
  expect(await ask(second.url, 'select answer from kept')).toBe(42)
  await second.stop()
})

test('is reachable by password on the loopback address alone, and keeps its files private', async () => {
  const server = await startPostgres({ dataDir: folder, settings })
  try {
    const wrong = server.url.replace(server.password, 'wrong')
    await expect(ask(wrong, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await ask(server.url, 'show listen_addresses')).toBe('127.0.0.1')
    expect(await ask(server.url, 'show unix_socket_directories')).toBe('')
    expect(await ask(server.url, 'show server_encoding')).toBe('UTF8')
    expect(readFileSync(join(server.folder, 'data', 'pg_hba.conf'), 'utf8')).not.toMatch(/\b(trust|password|md5)$/m)
    expect(statSync(join(server.folder, 'password')).mode & 0o777).toBe(0o600)
    expect(statSync(server.folder).mode & 0o067).toBe(0)
  } finally {
    await server.stop()
  }
})

test('tells when the server is killed, and every committed row is there after the next start', async () => {
  let tell = (_reason: string) => {}
  const told = new Promise<string>((resolve) => (tell = resolve))
  const server = await startPostgres({ dataDir: folder, settings, onExit: (reason) => tell(reason) })
  await ask(server.url, 'create table after_kill as select generate_series(1, 1000) as n')
  process.kill(server.pid, 'SIGKILL')
  expect(await told).toContain('SIGKILL')

  const again = await startPostgres({ dataDir: folder, settings })
  expect(await ask(again.url, 'select count(*)::int from after_kill')).toBe(1000)
  await again.stop()
})

test('starts although the making of an unlogged table was undone right before the server was killed', async () => {
  // Otherwise the WAL writer might persist the rollback.
  const slow = { ...settings, wal_writer_delay: '10s' }
  const server = await startPostgres({ dataDir: folder, settings: slow })
  const maker = new pg.Client({ connectionString: server.url })
  maker.on('error', () => undefined)
  await maker.connect()
  await maker.query('checkpoint')
  await maker.query('begin')
  await maker.query('create unlogged table undone (n int)')
  await ask(server.url, 'create table beside as select 1 as n')
  const { rows } = await maker.query<{ pid: number }>('select pid from pg_stat_activity')
  await maker.query('rollback')
  // Killing the postmaster first would let others exit cleanly.
  for (const pid of [server.pid, ...rows.map((row) => row.pid)]) sendSignal(pid, 'SIGKILL')

  const again = await startPostgres({ dataDir: folder, settings })
  expect(await ask(again.url, 'select n from beside')).toBe(1)
  expect(readFileSync(join(again.folder, 'postgres.log'), 'utf8')).toContain('File exists')
  await again.stop()
})

test('a second server on the same folder ends the first, which its starter had lost', async () => {
  const lostPostgres = await startPostgres({ dataDir: folder, settings })
  const lines: string[] = []
  const server = await startPostgres({ dataDir: folder, settings, log: (line) => lines.push(line) })
  expect(lines.join('\n')).toContain(`process ${lostPostgres.pid}`)
  expect(await ask(server.url, 'select 1')).toBe(1)
  await server.stop()
})

test('ends by itself when its starter is killed, and the next start finds it in good order', async () => {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL('start-postgres.ts', import.meta.url).href)})
    const { pid } = await startPostgres(${JSON.stringify({ dataDir: folder, settings })})
    console.log(pid)`
  const starter = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(starter.stdout, 'data')) as [Buffer]
  const pid = Number(line.toString())
  expect(isRunning(pid)).toBe(true)
  starter.kill('SIGKILL')
  await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false)
  const server = await startPostgres({ dataDir: folder, settings })
  const log = readFileSync(join(server.folder, 'postgres.log'), 'utf8')
  await server.stop()
  expect(log.slice(log.lastIndexOf('database system was'))).toContain('database system was shut down')
})

test('a wrong setting ends with one sentence that names the log', async () => {
  const start = startPostgres({ dataDir: folder, settings: { shared_buffers: 'much' } })
  await expect(start).rejects.toMatchObject({ name: 'StartProblem', message: expect.stringContaining('postgres.log') })
})

test.runIf(process.platform === 'linux')('every process of the server has a wall around its memory', async () => {
  const server = await startPostgres({ dataDir: folder, settings })
  try {
    const own = (await ask(server.url, 'select pg_backend_pid()')) as number
    expect(own).not.toBe(server.pid)
    const limit = /Max address space\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/limits`, 'utf8'))?.[1]
    expect(Number(limit)).toBeGreaterThanOrEqual(2 * 1024 ** 3)
    expect(Number(limit)).toBeLessThan(1024 ** 4)
  } finally {
    await server.stop()
  }
})
