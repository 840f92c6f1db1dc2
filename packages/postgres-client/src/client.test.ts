import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '@trellis/embedded/postgres/free-port'
import { type Postgres, startPostgres } from '@trellis/embedded/postgres/start-postgres'
import { startStandby } from '@trellis/embedded/testing/standby'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PostgresClient, getPreferredAddress } from './client.ts'

const settings = { shared_buffers: '16MB', max_connections: 20 }
const folder = mkdtempSync(join(tmpdir(), 'trellis-hosts-'))
let one: Postgres
let two: Postgres
let nobody: number

beforeAll(async () => {
  chmodSync(folder, 0o755)
  one = await startPostgres({ dataDir: join(folder, 'one'), settings })
  two = await startStandby({ primary: one, dataDir: join(folder, 'two'), settings })
  nobody = await findFreePort()
}, 120_000)
afterAll(async () => {
  await one.stop()
  await two.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Of several servers of the same login, as an operator writes it. */
const toAddress = (...ports: number[]) =>
  `postgres://trellis_admin:${one.password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres?target_session_attrs=read-write`

async function askPort(client: pg.Client): Promise<number> {
  await client.connect()
  try {
    const { rows } = await client.query<{ port: number }>("select current_setting('port')::int as port")
    return rows[0]?.port ?? 0
  } finally {
    await client.end()
  }
}

test('hosts are tried in order; those that are away or follow another server are passed over', async () => {
  const address = toAddress(nobody, two.port, one.port)
  expect(await askPort(new PostgresClient(address))).toBe(one.port)
  expect(getPreferredAddress(address)).toContain(`127.0.0.1:${one.port}/`)
})

test('a replica is connected to only where it follows another server', async () => {
  const asReplica = (address: string) => new PostgresClient({ connectionString: address, isReplica: true })
  const plain = (...ports: number[]) => toAddress(...ports).replace(/\?.*/, '')
  expect(await askPort(asReplica(plain(one.port, two.port)))).toBe(two.port)
  await expect(askPort(asReplica(plain(one.port)))).rejects.toThrow('follows no other server')
})

test('without a server that takes writes, the refusal says so', async () => {
  await expect(askPort(new PostgresClient(toAddress(two.port, nobody)))).rejects.toMatchObject({ code: '25006' })
})

test('a wrong password is told, not the host that is away', async () => {
  const wrong = toAddress(nobody, one.port).replace(one.password, 'wrong')
  await expect(askPort(new PostgresClient(wrong))).rejects.toMatchObject({ code: '28P01' })
})

test('after a failover a pool finds the new primary', async () => {
  const pool = new pg.Pool({ connectionString: toAddress(one.port, two.port), Client: PostgresClient, max: 2 })
  const listening = new PostgresClient(toAddress(one.port, two.port))
  const lost = new Promise((resolve) => listening.on('error', resolve))
  pool.on('error', () => undefined)
  const write = async () =>
    (await pool.query("insert into written values (current_setting('port')::int) returning port")).rows
  try {
    await pool.query('create table written (port int)')
    await listening.connect()
    expect(await write()).toEqual([{ port: one.port }])
    await one.stop()
    await lost
    const { hostname, password, port } = new URL(two.url)
    const standby = new pg.Client({
      host: hostname,
      port: Number(port),
      user: 'trellis_admin',
      password,
      database: 'postgres',
    })
    await standby.connect()
    await standby.query('select pg_promote()')
    await standby.end()
    await expect.poll(write).toEqual([{ port: two.port }])
  } finally {
    await pool.end()
  }
})

const toMessage = (type: string, body: string): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body, 'latin1')])
}
const GREETING = [toMessage('R', '\0\0\0\0'), toMessage('Z', 'I')]
const TERMINATED = toMessage('E', 'SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0')

test('a connection that is ended with its greeting fails its first query, not the process', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([...GREETING, TERMINATED])))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const connectionString = `postgres://one@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`
  const pool = new pg.Pool({ connectionString, Client: PostgresClient, max: 1 })
  pool.on('error', () => undefined)
  try {
    await expect(pool.query('select 1')).rejects.toThrow()
    const alone = new PostgresClient(connectionString)
    alone.on('error', () => undefined)
    await alone.connect()
    await expect(alone.query('select 1')).rejects.toThrow()
  } finally {
    await pool.end()
    server.close()
  }
})
