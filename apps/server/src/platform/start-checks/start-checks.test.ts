import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withClient } from '@trellis/control-db/connect'
import { type TestDatabase, createTestDatabase } from '@trellis/control-db/testing'
import { upgradeControlDb, withDatabase } from '@trellis/control-db/prepare'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runWorker } from '../../worker.ts'
import { readConfig } from '../config.ts'
import { startS3Server } from '../object-store/testing/s3-server.ts'
import { openRootKeys } from '../secrets/root-key.ts'
import { createSecretBox } from '../secrets/secret-box.ts'
import { checkDirectUrl, checkPrimary, checkVersion } from './check-servers.ts'
import { listAddresses, readServers } from './read-servers.ts'
import { assertCanStart } from './start-checks.ts'
import { waitForDatabase } from './wait-for-database.ts'

let database: TestDatabase
let adminUrl: string
let home: string

beforeAll(async () => {
  database = await createTestDatabase()
  adminUrl = withDatabase(database.adminUrl, new URL(database.url).pathname.slice(1))
  home = mkdtempSync(join(tmpdir(), 'trellis-start-'))
  openRootKeys(configure())
})
afterAll(async () => {
  await database.close()
  rmSync(home, { recursive: true, force: true })
})

function configure(settings: Record<string, string> = {}) {
  return readConfig({
    TRELLIS_HOME: home,
    TRELLIS_DATABASE_URL: database.url,
    TRELLIS_CLUSTER_URL: database.adminUrl,
    TRELLIS_LOG_LEVEL: 'silent',
    ...settings,
  })
}

async function start(settings: Record<string, string> = {}): Promise<string[]> {
  const said: string[] = []
  await assertCanStart(configure(settings), database, (sentence) => said.push(sentence))
  return said
}

const administer = (sql: string) => withClient({ connectionString: adminUrl }, (admin) => admin.query(sql))

/** The quick tests do not build the web app. */
const isAboutServer = (sentence: string) => !sentence.startsWith('The web app')

test('a sound installation starts without a word', async () => {
  expect((await start()).filter(isAboutServer)).toEqual([])
})

test('where nobody could read the code of a sign-up, the start says so', async () => {
  const noMail = [expect.stringContaining('nobody can sign up. Set TRELLIS_SMTP_URL')]
  const say = async (settings: Record<string, string>) => (await start(settings)).filter(isAboutServer)
  expect(await say({ TRELLIS_HOST: '0.0.0.0' })).toEqual(noMail)
  expect(await say({ TRELLIS_PUBLIC_URL: 'https://trellis.example.com' })).toEqual(noMail)
  expect(await say({ TRELLIS_HOST: '0.0.0.0', TRELLIS_MAILBOX_TOKEN: 'x'.repeat(20) })).toEqual([])
  expect(await say({ TRELLIS_HOST: '0.0.0.0', TRELLIS_SMTP_URL: 'smtp://mail.example.com' })).toEqual([])
  expect(await say({ TRELLIS_HOST: '0.0.0.0', TRELLIS_ROLE: 'worker' })).toEqual([])
})

test('a superuser as the application, and an administrator who may create nothing, are refused', async () => {
  await expect(start({ TRELLIS_DATABASE_URL: adminUrl })).rejects.toThrow(
    /^Row-level security does not bind the login \w+ of TRELLIS_DATABASE_URL.*\. Create an ordinary login.*\.$/,
  )
  await expect(start({ TRELLIS_CLUSTER_URL: '' })).rejects.toThrow(
    /^The login trellis_app may not create databases and roles.*Set TRELLIS_CLUSTER_URL/,
  )
})

const outside = { isBuiltIn: false, hasDirectUrl: false }

test('an old server and a replica are told by their setting', async () => {
  const [server] = await readServers(listAddresses(configure()))
  expect(server).toMatchObject({ isReplica: false, login: 'trellis_app', bypassesRowSecurity: false })
  expect(checkVersion({ servers: [server], ...outside })).toMatchObject({ status: 'ok' })
  const old = { ...server, setting: 'TRELLIS_CLUSTER_URL', version: '17.4', major: 17 }
  expect(checkVersion({ servers: [server, old], ...outside })).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('PostgreSQL 17.4 at TRELLIS_CLUSTER_URL'),
  })
  expect(checkPrimary({ servers: [{ ...server, isReplica: true }], ...outside })).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('TRELLIS_DATABASE_URL is a replica'),
  })
})

test('an address that leads through a pooler needs one that leads past it', async () => {
  const [server] = await readServers(listAddresses(configure()))
  const pooler = { ...server, isPooler: true }
  const cluster = { ...pooler, setting: 'TRELLIS_CLUSTER_URL' }
  expect(checkDirectUrl({ servers: [server], ...outside })).toMatchObject({ status: 'ok' })
  expect(checkDirectUrl({ servers: [pooler], ...outside, hasDirectUrl: true })).toMatchObject({ status: 'ok' })
  expect(checkDirectUrl({ servers: [pooler], ...outside })).toMatchObject({
    status: 'failed',
    advice: 'Set TRELLIS_DATABASE_DIRECT_URL to the address of Postgres itself.',
  })
  expect(checkDirectUrl({ servers: [server, cluster], ...outside })).toMatchObject({
    status: 'failed',
    detail: 'TRELLIS_CLUSTER_URL leads through a pooler',
  })
})

test('missing migrations end the start, those of a newer version are only said', async () => {
  await administer("update schema_migrations set name = '9999-from-later' where name = '0034-finished-runs'")
  await expect(start()).rejects.toThrow(/0034-finished-runs.* admin migrate$/)
  await administer(
    "insert into schema_migrations select '0034-finished-runs', checksum from schema_migrations where name like '9999%'",
  )
  expect(await start()).toEqual([expect.stringContaining('9999-from-later')])
  await administer("delete from schema_migrations where name like '9999%'")
})

test('a worker with another root key takes no work', async () => {
  const secrets = createSecretBox(openRootKeys(configure()))
  await secrets.seal(database, { scope: 'system', field: 'start-checks' }, 'secret')
  const stranger = configure({ TRELLIS_ROOT_KEY: randomBytes(32).toString('base64') })
  await expect(runWorker(stranger)).rejects.toThrow(/^The root key does not open the stored secrets\. Set /)
})

test('a bucket that is not there ends the start; one that is does not', async () => {
  const server = await startS3Server(join(home, 's3'), ['files'])
  const { settings } = server
  try {
    expect(await start({ ...settings, TRELLIS_S3_BUCKET: 'files' })).toEqual([])
    await expect(start({ ...settings, TRELLIS_S3_BUCKET: 'nowhere' })).rejects.toThrow(
      /^There is no bucket nowhere at http.*\. Create it, or correct TRELLIS_S3_BUCKET\.$/,
    )
  } finally {
    await server.close()
  }
})

test('a database that is away is waited for, and said once', async () => {
  const { hostname, port: serverPort } = new URL(database.url)
  const port = await findFreePort()
  const url = Object.assign(new URL(database.url), { port: String(port) }).href
  const said: string[] = []
  const relay = createServer((socket) => {
    const server = connect(Number(serverPort), hostname)
    socket.pipe(server).pipe(socket)
    for (const item of [socket, server]) item.on('error', () => undefined)
  })
  const waiting = waitForDatabase([{ setting: 'TRELLIS_DATABASE_URL', url }], {
    say: (sentence) => {
      said.push(sentence)
      if (said.length === 1) relay.listen(port, '127.0.0.1')
    },
  })
  await waiting
  relay.close()
  expect(said).toEqual([
    'The database cannot be reached: nothing answers at that address. Waiting for it; check TRELLIS_DATABASE_URL.',
    'The database answers.',
  ])
})

test('a sign-in that is refused is not waited for', async () => {
  const url = Object.assign(new URL(database.url), { password: 'wrong' }).href
  const waiting = waitForDatabase([{ setting: 'TRELLIS_DATABASE_URL', url }], { say: () => undefined })
  await expect(waiting).rejects.toMatchObject({ code: '28P01' })
})

test('an owner on a server of its own lets the application use the tables, not change them', async () => {
  const name = `s_${randomBytes(6).toString('hex')}`
  const toLoginUrl = (role: string) =>
    Object.assign(new URL(withDatabase(database.adminUrl, name)), { username: role, password: 'p' })
  await administer(`create role ${name}_owner login password 'p'`)
  await administer(`create role ${name}_app login password 'p'`)
  await administer(`create database ${name} owner ${name}_owner`)
  await administer(`revoke connect on database ${name} from public`)
  try {
    const applied = await upgradeControlDb({ ownerUrl: toLoginUrl(`${name}_owner`).href, appRole: `${name}_app` })
    expect(applied[0]).toBe('0001-identity')
    await withClient({ connectionString: toLoginUrl(`${name}_app`).href }, async (app) => {
      expect((await app.query('select 1 from accounts')).rowCount).toBe(0)
      for (const refused of [
        'alter table accounts add x int',
        'delete from audit_lines',
        'delete from schema_migrations',
      ]) {
        await expect(app.query(refused)).rejects.toMatchObject({ code: '42501' })
      }
    })
  } finally {
    await administer(`drop database ${name} with (force)`)
    await administer(`drop role ${name}_owner`)
    await administer(`drop role ${name}_app`)
  }
})
