import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { canReach } from '@trellis/embedded/postgres/process-owner'
import { findProcess, isRunning } from '@trellis/embedded/postgres/process-table'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDatabaseUrl, findRolePid, readPostgresPid, runMain, type RunningMain } from './testing/running-main.ts'

/** The timeout is for hangs. */
const patience = { timeout: 100_000, interval: 50 }
let folder: string
let home: string
let port: number
let url: string
let trellis: RunningMain

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'trellis-supervise-'))
  chmodSync(folder, 0o755)
  home = join(folder, 'home')
  port = await findFreePort()
  url = `http://127.0.0.1:${port}`
  trellis = start()
  await trellis.ready
  await query('create table kept (n int)')
}, 240_000)

afterAll(async () => {
  trellis.child.kill('SIGTERM')
  await trellis.ended
  rmSync(folder, { recursive: true, force: true })
}, 120_000)

function start(): RunningMain {
  return runMain({ TRELLIS_HOME: home, TRELLIS_PORT: String(port), TRELLIS_LOG_LEVEL: 'error' })
}

async function query(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: readDatabaseUrl(home) })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function fetchStatus(path: string): Promise<number> {
  return await fetch(`${url}${path}`, { headers: { connection: 'close' } }).then(
    (response) => response.status,
    () => 0,
  )
}

test('the first screen says where it is, how to get in and where the data lies', async () => {
  expect(trellis.stdout()).toContain(`http://localhost:${port}`)
  expect(trellis.stdout()).toMatch(/Sign in +\S+@\S+\n +Password +\S{10,}/)
  expect(trellis.stdout()).toContain(home)
  expect(await fetchStatus('/readyz')).toBe(200)
})

test.runIf(process.platform === 'linux')(
  'no other user finds the way into the database in the list of processes',
  () => {
    const { password } = new URL(readDatabaseUrl(home))
    for (const role of ['api', 'worker']) {
      const { args } = findProcess(findRolePid(trellis.pid, role) ?? 0) ?? { args: [] }
      expect(args).not.toEqual([])
      expect(args.join(' ')).not.toContain(password)
      const environment = `/proc/${findRolePid(trellis.pid, role)}/environ`
      expect(readFileSync(environment, 'utf8')).toContain(password)
      expect(statSync(environment)).toMatchObject({ uid: process.getuid?.() })
      expect(statSync(environment).mode & 0o377).toBe(0)
    }
    expect(readFileSync(`/proc/${readPostgresPid(home)}/environ`, 'utf8')).not.toContain(password)
    expect(findProcess(readPostgresPid(home))?.args.join(' ')).not.toContain(password)
  },
)

test('a second start in the same folder names the process that holds it', async () => {
  const second = start()
  expect(await second.ended).toMatchObject({ code: 1 })
  expect(second.stderr()).toBe(
    `Trellis already runs here (process ${trellis.pid}, http://localhost:${port}). Stop it first, or set TRELLIS_HOME to another folder than ${home}.\n`,
  )
  expect(await fetchStatus('/readyz')).toBe(200)
})

test('a taken port, a wrong setting, a file in the way, a role without its database: one sentence each', async () => {
  const other = join(folder, 'other')
  const takenRunningMain = runMain({ TRELLIS_HOME: other, TRELLIS_PORT: String(port) })
  const wrong = runMain({ TRELLIS_HOME: other, TRELLIS_PORT: 'many' })
  const blocked = runMain({
    TRELLIS_HOME: join(home, 'postgres', 'password'),
    TRELLIS_PORT: String(await findFreePort()),
  })
  const lonely = runMain({ TRELLIS_HOME: other, TRELLIS_ROLE: 'worker' })
  for (const runningMain of [takenRunningMain, wrong, blocked, lonely]) {
    expect(await runningMain.ended).toMatchObject({ code: 1 })
    expect(runningMain.stderr()).toMatch(/^[^\n]+\.\n$/)
    expect(runningMain.stderr()).not.toMatch(/Error|\bat /)
  }
  expect(takenRunningMain.stderr()).toBe(
    `Port ${port} is in use. Set TRELLIS_PORT to another one or stop the other program.\n`,
  )
  expect(wrong.stderr()).toContain('TRELLIS_PORT')
  expect(blocked.stderr()).toContain('a file is in the way')
  expect(lonely.stderr()).toContain('TRELLIS_DATABASE_URL')
})

// Root can write everywhere, so another user starts this one.
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined

test.runIf(canReach(process.execPath, stranger))('a folder that cannot be written: one sentence', async () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed, { mode: 0o555 })
  const refusedRunningMain = runMain({ TRELLIS_HOME: closed, TRELLIS_PORT: String(await findFreePort()) }, stranger)
  expect(await refusedRunningMain.ended).toMatchObject({ code: 1 })
  expect(refusedRunningMain.stderr()).toMatch(/^\S+ cannot be written by this user\.[^\n]+\n$/)
})

test('a database that does not answer is waited for, with one sentence, until the product is stopped', async () => {
  const nowhere = `postgres://nobody:nothing@127.0.0.1:${await findFreePort()}/none`
  const lostRunningMain = runMain({
    TRELLIS_HOME: join(folder, 'lost'),
    TRELLIS_PORT: String(await findFreePort()),
    TRELLIS_DATABASE_URL: nowhere,
  })
  const sentence =
    'The database cannot be reached: nothing answers at that address. Waiting for it; check TRELLIS_DATABASE_URL.'
  await expect.poll(() => lostRunningMain.stdout(), patience).toContain(sentence)
  lostRunningMain.child.kill('SIGTERM')
  expect(await lostRunningMain.ended).toMatchObject({ code: 0 })
  expect(lostRunningMain.stdout().split(sentence)).toHaveLength(2)
})

test.each(['api', 'worker'])('a killed %s is started again', async (role) => {
  const before = findRolePid(trellis.pid, role)
  process.kill(before ?? 0, 'SIGKILL')
  await expect.poll(() => findRolePid(trellis.pid, role), patience).not.toBe(before)
  await expect.poll(() => trellis.stdout(), patience).toContain(`The ${role} is back.`)
  expect(await fetchStatus('/readyz')).toBe(200)
})

test('a killed Postgres is started again, and the API answers from it without being restarted', async () => {
  await query('insert into kept values (1)')
  const api = findRolePid(trellis.pid, 'api')
  process.kill(readPostgresPid(home), 'SIGKILL')
  await expect.poll(() => trellis.stdout(), patience).toContain('Postgres is back.')
  await expect.poll(() => fetchStatus('/readyz'), patience).toBe(200)
  expect(findRolePid(trellis.pid, 'api')).toBe(api)
  expect(await query('select n from kept')).toEqual([{ n: 1 }])
})

const call = async (token: string, method: string, [path, body]: [string, object?]) =>
  await fetch(`${url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  })

async function signIn(): Promise<string> {
  const [, email, password] = /Sign in +(\S+@\S+)\n +Password +(\S+)/.exec(trellis.stdout()) ?? []
  const answer = await call('', 'POST', ['/auth/login', { email, password }])
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token
}

/** Counts responses by status. */
async function keepCalling(token: string, isOver: () => boolean): Promise<Map<number, number>> {
  const answers = new Map<number, number>()
  const take = async (answer: Response) => {
    answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1)
    if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    await answer.arrayBuffer()
  }
  const work = async () => {
    do {
      await take(await call(token, 'GET', ['/auth/identity']))
      await take(await call(token, 'PATCH', ['/api/profile-token', { firstName: 'Demo' }]))
    } while (!isOver())
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return answers
}

test('cut connections end neither API nor worker: calls answer 503 meanwhile and work again after it', async () => {
  const findRoles = () => ['api', 'worker'].map((role) => findRolePid(trellis.pid, role))
  const before = findRoles()
  const token = await signIn()
  const state = { isOver: false }
  const calling = keepCalling(token, () => state.isOver)
  for (let cut = 0; cut < 120;) {
    const ended = await query(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    cut += ended.length
  }
  state.isOver = true
  const answers = await calling
  expect([...answers.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  await expect.poll(() => fetchStatus('/readyz'), patience).toBe(200)
  expect([...(await keepCalling(token, () => true)).keys()]).toEqual([200])
  expect(findRoles()).toEqual(before)
})

test('killed as a whole, its roles and Postgres end by themselves and the next start has everything', async () => {
  await query('insert into kept values (2)')
  const roles = ['api', 'worker'].map((role) => findRolePid(trellis.pid, role) ?? 0)
  const processes = [...roles, readPostgresPid(home)]
  trellis.child.kill('SIGKILL')
  await trellis.ended
  await expect.poll(() => processes.filter(isRunning), patience).toEqual([])
  trellis = start()
  await trellis.ready
  expect(await query('select n from kept order by n')).toEqual([{ n: 1 }, { n: 2 }])
  expect(await fetchStatus('/readyz')).toBe(200)
})

test('asked to stop, it ends cleanly and leaves no process and no lock behind', async () => {
  const processes = [...['api', 'worker'].map((role) => findRolePid(trellis.pid, role) ?? 0), readPostgresPid(home)]
  trellis.child.kill('SIGINT')
  expect(await trellis.ended).toEqual({ code: 0, signal: null })
  expect(processes.filter(isRunning)).toEqual([])
  expect(existsSync(join(home, 'lock'))).toBe(false)
  expect(existsSync(join(home, 'postgres', 'data', 'postmaster.pid'))).toBe(false)
})
