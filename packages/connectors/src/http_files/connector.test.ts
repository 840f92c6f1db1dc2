import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { FormaValues } from '@trellis/contract/formas/forma'
import { writeParquet } from '@trellis/table-files/write/write-parquet'
import { writeXlsx } from '@trellis/table-files/write/write-xlsx'
import { afterAll, describe, expect, test } from 'vitest'
import { httpFiles } from './connector.ts'

const COLUMNS = [
  { name: 'id', type: { kind: 'int64' } },
  { name: 'name', type: { kind: 'text' } },
] as const
async function buildFile(write: typeof writeParquet): Promise<Buffer> {
  const batches = (async function* () {
    yield [
      ['1', 'one'],
      ['2', 'two'],
    ]
  })()
  const chunks: Uint8Array[] = []
  for await (const chunk of write({ columns: COLUMNS, batches })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const csv = (rows: number) =>
  `id,name,amount,day\n${Array.from({ length: rows }, (_, at) => `${at},"name, ${at}",${at}.50,2026-01-02`).join('\n')}\n`
const files: Record<string, { body: Buffer; version: number }> = {
  '/data/large.csv': { body: Buffer.from(csv(22_000)), version: 1 },
  '/data/more.csv': { body: Buffer.from('id,extra\n7,x\n'), version: 1 },
  '/data/packed.csv.gz': { body: gzipSync(csv(5)), version: 1 },
  '/data/lines.jsonl': { body: Buffer.from('{"id":1,"tags":["a"]}\n{"id":2,"name":"b"}\n'), version: 1 },
  '/data/dates.csv': { body: Buffer.from('when;n;ok\n31.12.2025;1.000,5;yes\n01.02.2026;2,5;no\n'), version: 1 },
  '/data/broken.csv': { body: Buffer.from('a,b\n1,2\n3,4,5\n4,5\n'), version: 1 },
  '/data/table.parquet': { body: await buildFile(writeParquet), version: 1 },
  '/data/table.xlsx': { body: await buildFile(writeXlsx), version: 1 },
}
let hasPieces = true
const seen: { url: string; authorization: string | undefined }[] = []
const server = createServer((request, response) => {
  const { url = '', headers } = request
  seen.push({ url, authorization: headers.authorization })
  if (url.startsWith('/private') && headers.authorization !== 'Bearer right') return response.writeHead(401).end()
  const file = files[url.replace('/private', '/data')]
  if (!file) return response.writeHead(404).end()
  const tag = `"v${file.version}"`
  if (headers['if-match'] && headers['if-match'] !== tag) return response.writeHead(412).end()
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? []
  if (from === undefined || to === undefined || !hasPieces) {
    return response.writeHead(200, { etag: tag, 'content-length': file.body.length }).end(file.body)
  }
  const piece = file.body.subarray(Number(from), Number(to) + 1)
  const range = `bytes ${from}-${to}/${file.body.length}`
  return response.writeHead(206, { etag: tag, 'content-range': range, 'content-length': piece.length }).end(piece)
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
afterAll(() => void server.close())

const values = (changes: Record<string, unknown> = {}): FormaValues => ({
  access: { address: `${base}/data/`, kind: 'none', ...changes },
})
const query = (names: string, more: Record<string, unknown> = {}): FormaValues => ({ query: { files: names, ...more } })
const read = (asked: FormaValues, state?: Record<string, unknown>) =>
  readAll(httpFiles, createTestContext({ values: values() }), { query: asked, ...(state && { state }) })

testConformance(httpFiles, [
  { name: 'CSV', values: values(), query: query('large.csv\nmore.csv'), hasNoKey: true, minBatches: 4 },
  { name: 'packed CSV', values: values(), query: query('packed.csv.gz'), hasNoKey: true },
  { name: 'JSON lines', values: values(), query: query('lines.jsonl'), hasNoKey: true },
  { name: 'Parquet', values: values(), query: query('table.parquet'), hasNoKey: true },
  { name: 'Excel', values: values(), query: query('table.xlsx', { format: 'xlsx' }), hasNoKey: true },
])

test('several files are one table with all columns', async () => {
  const { fields, rows } = await read(query('more.csv\nlines.jsonl'))
  expect(fields.map(({ name, type }) => [name, type])).toEqual([
    ['id', 'integer'],
    ['extra', 'text'],
    ['tags', 'json'],
    ['name', 'text'],
  ])
  expect(rows).toEqual([
    [7, 'x', null, null],
    [1, null, '["a"]', null],
    [2, null, null, 'b'],
  ])
})

test('values are what they mean, however they are written', async () => {
  const { fields, rows } = await read(query('dates.csv'))
  expect(fields.map(({ type }) => type)).toEqual(['date', 'decimal', 'boolean'])
  expect(rows).toEqual([
    ['2025-12-31', '1000.5', true],
    ['2026-02-01', '2.5', false],
  ])
})

test('rows that do not fit are left out and told', async () => {
  const context = createTestContext({ values: values() })
  const { rows } = await readAll(httpFiles, context, { query: query('broken.csv') })
  expect(rows).toEqual([
    [1, 2],
    [4, 5],
  ])
  expect(context.logs.join()).toContain('line 3')
})

test('what is read in another way than it is written is told', async () => {
  const context = createTestContext({ values: values() })
  await readAll(httpFiles, context, { query: query('dates.csv') })
  expect(context.logs.join()).toMatch(/dates\.csv: “.*”: \w+ is read as (?:true|false)/)
})

test('only what changed is read again when that is asked for', async () => {
  const asked = query('more.csv\npacked.csv.gz', { which: 'changed' })
  const first = await read(asked)
  expect(first.rows).toHaveLength(6)
  const state = first.finalState as Record<string, unknown>
  expect((await read(asked, state)).rows).toEqual([])
  files['/data/more.csv'] = { body: Buffer.from('id,extra\n8,other\n'), version: 2 }
  expect((await read(asked, state)).rows).toEqual([[8, 'other']])
  expect((await read({ query: { ...asked['query'], which: 'all' } }, state)).rows).toHaveLength(6)
})

test('a server that gives no pieces is read as a whole', async () => {
  hasPieces = false
  expect((await read(query('table.parquet'))).rows).toEqual([
    [1, 'one'],
    [2, 'two'],
  ])
  expect((await read(query('packed.csv.gz'))).rows).toHaveLength(5)
  const before = seen.length
  expect((await read(query('more.csv\npacked.csv.gz'))).rows).toHaveLength(6)
  expect(seen.length - before, 'looked at, profiled and read: none is held while another is read').toBe(6)
  hasPieces = true
})

describe('credentials', () => {
  test('are sent to the host they are for, and to no other', async () => {
    const other = base.replace('127.0.0.1', 'localhost')
    const context = createTestContext({
      values: values({ kind: 'bearer', token: 'right', address: `${base}/private/` }),
    })
    seen.length = 0
    await readAll(httpFiles, context, { query: query(`lines.jsonl\n${other}/data/lines.jsonl`) })
    expect(
      seen
        .filter(({ url }) => url.startsWith('/private'))
        .every(({ authorization }) => authorization === 'Bearer right'),
    ).toBe(true)
    expect(seen.filter(({ url }) => url.startsWith('/data')).map(({ authorization }) => authorization)).not.toContain(
      'Bearer right',
    )
  })

  test.each([
    ['a wrong token', { kind: 'bearer', token: 'wrong', address: '/private/lines.jsonl' }, /refused the credentials/],
    ['no address', { address: 'files' }, /not a web address/],
  ])('%s has its own sentence', async (_, changes, message) => {
    const address = changes.address.startsWith('/') ? base + changes.address : changes.address
    const context = createTestContext({ values: values({ ...changes, address }) })
    await expect(httpFiles.check(context)).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringMatching(message),
    })
  })

  test('a file that is not there is something to mend', async () => {
    await expect(read(query('missing.csv'))).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringContaining('404'),
    })
  })
})

test('an address that may not be called is said when it is checked and when it is read, and never tried again', async () => {
  const context = {
    ...createTestContext({ values: values() }),
    fetch: () =>
      Promise.reject(Object.assign(new Error('169.254.169.254 is an address inside.'), { code: 'address_refused' })),
  }
  const refusal = {
    kind: 'configuration',
    message: '169.254.169.254 is an address inside.',
    field: 'access.address',
    advice: expect.stringContaining('public internet'),
  }
  await expect(httpFiles.check(context)).rejects.toMatchObject(refusal)
  await expect(readAll(httpFiles, context, { query: query('more.csv') })).rejects.toMatchObject(refusal)
})
