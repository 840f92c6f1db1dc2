import { chmodSync, createReadStream, createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Postgres, startPostgres } from '../postgres/start-postgres.ts'
import { receiveBaseBackup } from './base-backup.ts'
import { readRows } from './read-rows.ts'
import { restoreCluster } from './restore-cluster.ts'

const settings = { shared_buffers: '16MB', max_connections: 20 }
const folder = mkdtempSync(join(tmpdir(), 'trellis-base-'))
const archive = join(folder, 'base.tar')
let server: Postgres

async function ask<R extends pg.QueryResultRow>(url: string, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<R>(sql)).rows
  } finally {
    await client.end()
  }
}

async function backUp(): Promise<Awaited<ReturnType<typeof receiveBaseBackup>>> {
  const [tar, list] = [new PassThrough(), new PassThrough()]
  const written = Promise.all([
    pipeline(tar, createWriteStream(archive)),
    pipeline(list, createWriteStream(join(folder, 'list'))),
  ])
  const createdBaseBackup = await receiveBaseBackup({ url: server.url, archive: tar, fileList: list })
  await written
  return createdBaseBackup
}

beforeAll(async () => {
  chmodSync(folder, 0o755)
  server = await startPostgres({ dataDir: join(folder, 'first'), settings })
  await ask(server.url, "create role reader login password 'of the reader'")
  await ask(server.url, 'create table quiet as select n, md5(n::text) as text from generate_series(1, 20000) as n')
  await ask(server.url, 'create table "odd ""name" (n int); grant select on "odd ""name" to reader')
  await ask(server.url, 'create table busy (n int, pair int)')
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a copy made while rows are written holds every committed transaction as a whole', async () => {
  const writing = { isOn: true, last: 0 }
  const writer = (async () => {
    for (let n = 1; writing.isOn; n += 1) {
      await ask(server.url, `insert into busy values (${n}, 1); insert into busy values (${n}, 2)`)
      writing.last = n
    }
  })()
  await expect.poll(() => writing.last).toBeGreaterThan(2)
  const before = writing.last
  const createdBaseBackup = await backUp()
  writing.isOn = false
  await writer
  expect(createdBaseBackup).toMatchObject({ timeline: 1, endLsn: expect.stringMatching(/^[0-9A-F]+\/[0-9A-F]+$/) })
  expect(JSON.parse(readFileSync(join(folder, 'list'), 'utf8'))).toHaveProperty('Manifest-Checksum')

  await restoreCluster({ dataDir: join(folder, 'second'), archive: createReadStream(archive) })
  const second = await startPostgres({ dataDir: join(folder, 'second'), settings })
  try {
    const [was, is] = [await readRows(server.url), await readRows(second.url)]
    for (const table of ['public.quiet', 'public.odd "name']) {
      expect(is.find((tableRows) => tableRows.table === table)).toEqual(
        was.find((tableRows) => tableRows.table === table),
      )
    }
    expect(is.find((tableRows) => tableRows.table === 'public.quiet')).toMatchObject({
      rows: 20_000,
      database: 'postgres',
    })
    const halves = await ask(second.url, 'select n from busy group by n having count(*) <> 2')
    expect(halves).toEqual([])
    const [kept] = await ask<{ n: number }>(second.url, 'select max(n) as n from busy')
    expect(kept?.n).toBeGreaterThanOrEqual(before)
    expect(second.password).not.toBe(server.password)
    const reader = second.url.replace(
      `trellis_admin:${second.password}`,
      `reader:${encodeURIComponent('of the reader')}`,
    )
    expect(await ask(reader, 'select * from "odd ""name"')).toEqual([])
  } finally {
    await second.stop()
  }
  await expect.poll(() => ask(server.url, 'select 1 from pg_replication_slots')).toEqual([])
})

test('a table that changed by one row has another hash', async () => {
  const find = async () => (await readRows(server.url)).find((row) => row.table === 'public.quiet')?.sha256
  const before = await find()
  await ask(server.url, "update quiet set text = 'x' where n = 7")
  expect(await find()).not.toBe(before)
})

test('an archive that is cut off is not taken for a database', async () => {
  await backUp()
  const half = readFileSync(archive).subarray(0, 9_000_000)
  const dataDir = join(folder, 'third')
  await expect(restoreCluster({ dataDir, archive: Readable.from([half]) })).rejects.toThrow(/unpacked|accept/)
  await restoreCluster({ dataDir, archive: createReadStream(archive) })
  await expect(restoreCluster({ dataDir, archive: Readable.from([]) })).rejects.toThrow('holds a database already')
})

test('a place that takes no more bytes ends the backup with its reason', async () => {
  const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no room')) })
  const tar = new PassThrough()
  const written = pipeline(tar, full).catch((error: Error) => error.message)
  const list = new PassThrough()
  list.on('error', () => undefined)
  await expect(receiveBaseBackup({ url: server.url, archive: tar, fileList: list })).rejects.toThrow('no room')
  expect(await written).toBe('no room')
  await expect.poll(() => ask(server.url, 'select 1 from pg_replication_slots')).toEqual([])
})
