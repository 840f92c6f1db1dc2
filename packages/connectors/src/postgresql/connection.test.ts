import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { createCertificate } from '../../../embedded/src/postgres/self-signed.ts'
import { startPostgres } from '../../../embedded/src/postgres/start-postgres.ts'
import { plainConnect } from '../shared/testing/plain-connect.ts'
import { createTestDatabase } from '../shared/testing/postgres-database.ts'
import { trellisDatabase } from '../trellis_database/connector.ts'
import { postgresql } from './connector.ts'

const database = await createTestDatabase()
const { admin, address } = database
const check = (changes: Record<string, unknown> = {}) =>
  postgresql.check(createTestContext({ values: database.values(changes), connect: plainConnect }))

interface Talk {
  readonly greeting?: string
  readonly answer?: string
}

const closedPort = await new Promise<number>((resolve) => {
  const server = createServer()
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as { port: number }
    server.close(() => resolve(port))
  })
})

test('a password that is kept goes over no less safe connection than the one it was entered for', () => {
  const goesTo = (changes: object) => postgresql.secretsGoTo?.(database.values({ tls: 'verify-full', ...changes }))
  expect(goesTo({})).toBe(goesTo({ user: 'other', database: 'other' }))
  for (const changes of [{ tls: 'disable' }, { certificate: 'of somebody' }, { host: 'other' }, { port: 1 }]) {
    expect(goesTo(changes)).not.toBe(goesTo({}))
  }
})

describe('checking a connection', () => {
  test('says version, database and how many tables can be read', async () => {
    await admin.query('create table one (id int); create view two as select * from one')
    const found = Object.fromEntries((await check()).map(({ label, value }) => [label, value]))
    expect(found).toMatchObject({ Database: address.database, 'Tables that can be read': '2' })
    expect(found['Version']).toMatch(/^PostgreSQL \d+/)
  })

  test.each([
    [
      'a wrong password',
      { changes: { password: 'wrong' }, field: 'connection.password', message: /password for the user .* is wrong/ },
    ],
    [
      'a database that is not there',
      { changes: { database: 'nowhere' }, field: 'connection.database', message: /no database called nowhere/ },
    ],
    [
      'a host that is not there',
      { changes: { host: 'nowhere.invalid' }, field: 'connection.host', message: /no host called nowhere.invalid/ },
    ],
    [
      'a port where nobody listens',
      { changes: { port: closedPort }, field: 'connection.port', message: /refuses connections on port/ },
    ],
    [
      'a server without encryption',
      { changes: { tls: 'require' }, field: 'connection.tls', message: /does not offer encrypted/ },
    ],
    ['nothing entered', { changes: { host: '' }, field: 'connection.host', message: /not complete/ }],
  ])('%s has its own sentence', async (_, { changes, field, message }) => {
    await expect(check(changes)).rejects.toMatchObject({
      name: 'ConnectorError',
      kind: 'configuration',
      field,
      message: expect.stringMatching(message),
      advice: expect.any(String),
    })
  })

  test.each([
    ['a web server (HTTP)', { answer: 'HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n' }],
    ['an SSH server', { greeting: 'SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n' }],
    ['a MySQL or MariaDB server', { greeting: 'Y\0\0\0\x0a5.5.5-10.11.6-MariaDB\0' }],
    ['a MySQL or MariaDB server', { greeting: 'E\0\0\0\xff\x6a\x04Host is not allowed' }],
    ['a Redis server', { answer: '-ERR Protocol error: unauthenticated bulk length\r\n' }],
    ['a server that wants TLS from the first byte, such as HTTPS', { answer: '\x15\x03\x01\0\x02\x02\x16' }],
  ])('%s on the port is named, encrypted or not', async (name, { greeting, answer }: Talk) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      if (greeting) socket.write(Buffer.from(greeting, 'latin1'))
      socket.on('data', () => answer && socket.end(Buffer.from(answer, 'latin1')))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    try {
      for (const tls of ['require', 'disable']) {
        await expect(check({ host: '127.0.0.1', port, tls }), tls).rejects.toMatchObject({
          kind: 'configuration',
          field: 'connection.port',
          message: `127.0.0.1 answers on port ${port} as ${name}, not as PostgreSQL.`,
        })
      }
    } finally {
      server.close()
    }
  })

  test('a missing right has its own sentence, at sign-in and after it', async () => {
    const login = `guest_${address.database}`
    await admin.query(
      `create role ${login} login password 'secret word'; revoke connect on database ${address.database} from public`,
    )
    const asGuest = { user: login, password: 'secret word' }
    await expect(check(asGuest)).rejects.toMatchObject({ message: expect.stringContaining('no right to connect') })
    await admin.query(`grant connect on database ${address.database} to ${login}`)
    await expect(check(asGuest)).rejects.toMatchObject({
      message: expect.stringContaining('can read none of the 2 tables'),
    })
    await admin.query(`grant select on one to ${login}`)
    expect((await check(asGuest)).at(-1)?.value).toBe('1')
    expect(await postgresql.tables?.(database.context({ values: database.values(asGuest) }))).toEqual({
      schemas: [{ name: 'public', tables: [{ name: 'one', kind: 'table', rows: null }], is_cut: false }],
    })
    await admin.query(`alter role ${login} nologin`)
    await expect(check(asGuest)).rejects.toMatchObject({ message: expect.stringContaining('not permitted to log in') })
    await admin.query(`drop owned by ${login}; drop role ${login}`)
  })

  test('no sentence holds the password', async () => {
    const error = await check({ password: 'hunter2-planted' }).catch((caught: unknown) => caught)
    expect(`${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`).not.toContain(
      'hunter2-planted',
    )
  })
})

describe('encryption', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'trellis-tls-'))
  const files = { certificateFile: join(folder, 'cert.pem'), keyFile: join(folder, 'key.pem') }
  const { certificate, key } = createCertificate(['localhost'])
  writeFileSync(files.certificateFile, certificate)
  writeFileSync(files.keyFile, key)
  const server = await startPostgres({
    dataDir: join(folder, 'data'),
    settings: { fsync: 'off' },
    listening: { address: '127.0.0.1', ...files },
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { username: user } = new URL(server.url)
  const tls = (changes: Record<string, unknown>) =>
    check({ host: 'localhost', port: server.port, database: 'postgres', user, password: server.password, ...changes })

  test('with and without checking the certificate', async () => {
    expect(await tls({ tls: 'require' })).toHaveLength(3)
    expect(await tls({ tls: 'verify-full', certificate })).toHaveLength(3)
    expect(await tls({ tls: 'disable' })).toHaveLength(3)
  })

  test('a certificate of a stranger or for another name is refused', async () => {
    await expect(tls({ tls: 'verify-full' })).rejects.toMatchObject({ field: 'connection.certificate' })
    await expect(tls({ tls: 'verify-full', certificate, host: '127.0.0.1' })).rejects.toMatchObject({
      field: 'connection.host',
      message: expect.stringContaining('another host name'),
    })
  })

  test('the workspace’s own database is read as its cluster is reached', async () => {
    const own = { host: 'localhost', port: server.port, database: 'postgres', user, password: server.password }
    const isEncrypted = async (way: { tls: 'disable' | 'require' | 'verify-full'; certificate?: string }) => {
      const context = createTestContext({ connect: plainConnect, ownDatabase: async () => ({ ...own, ...way }) })
      const sql = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'
      const reading = await trellisDatabase.source?.read(context, { query: { query: { kind: 'sql', sql } } })
      let text = ''
      for await (const batch of reading?.batches ?? []) if (batch.kind === 'copy') text += String(batch.bytes)
      return text.trim()
    }
    expect(await isEncrypted({ tls: 'require' })).toBe('t')
    expect(await isEncrypted({ tls: 'verify-full', certificate })).toBe('t')
    expect(await isEncrypted({ tls: 'disable' })).toBe('f')
    await expect(isEncrypted({ tls: 'verify-full' })).rejects.toMatchObject({ kind: 'configuration' })
  })

  test('a read goes through it as well', async () => {
    const values = database.values({
      host: 'localhost',
      port: server.port,
      database: 'postgres',
      user,
      password: server.password,
      tls: 'verify-full',
      certificate,
    })
    const reading = await postgresql.source?.read(createTestContext({ values, connect: plainConnect }), {
      query: {
        query: { kind: 'sql', sql: 'select i, repeat(md5(i::text), 30) as note from generate_series(1, 5000) i' },
      },
    })
    let rows = 0
    for await (const batch of reading?.batches ?? []) rows += batch.kind === 'copy' ? batch.rowCount : 0
    expect(rows).toBe(5000)
  })
})
