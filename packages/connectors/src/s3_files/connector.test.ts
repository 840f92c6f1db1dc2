import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Batch, Field } from '@trellis/connector-kit/batch'
import type { WriteRequest } from '@trellis/connector-kit/connector'
import { SourceChanged } from '@trellis/connector-kit/source-changed'
import { SourceGone } from '@trellis/connector-kit/source-gone'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import type { FormaValues } from '@trellis/contract/formas/forma'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '../../../embedded/src/postgres/free-port.ts'
import { toBucketError, openBucket } from './client.ts'
import { s3Files } from './connector.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-s3-'))
const port = await findFreePort()
const server = new S3rver({
  port,
  address: '127.0.0.1',
  silent: true,
  // It omits the slash that the SDK signs after a bucket's name.
  allowMismatchedSignatures: true,
  directory: folder,
  configureBuckets: [{ name: 'files', configs: [] }],
})
await server.run()
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const values = (changes: Record<string, unknown> = {}): FormaValues => ({
  bucket: {
    bucket: 'files',
    region: 'us-east-1',
    endpoint: `http://127.0.0.1:${port}`,
    access_key_id: 'S3RVER',
    secret_access_key: 'S3RVER',
    ...changes,
  },
})
const context = () => createTestContext({ values: values() })
const { client, sdk } = await openBucket(context())
const put = (Key: string, Body: string) =>
  client.send(new sdk.PutObjectCommand({ Bucket: 'files', Key, Body: Buffer.from(Body) }))
const keys = async (Prefix: string) =>
  ((await client.send(new sdk.ListObjectsV2Command({ Bucket: 'files', Prefix }))).Contents ?? []).map(
    ({ Key = '' }) => Key,
  )

/** More than one batch per file. */
const LONG = 'name '.repeat(20)

beforeAll(async () => {
  for (const part of [1, 2, 3]) {
    const rows = Array.from({ length: 6000 }, (_, at) => `${part * 10_000 + at},${LONG} ${at},2026-01-0${part}`)
    await put(`in/day ${part}/rows+${part}.csv`, `id,name,day\n${rows.join('\n')}\n`)
  }
  await put('in/readme.txt', 'nothing')
  await put('in/_done', 'x')
})

const query = (more: Record<string, unknown> = {}): FormaValues => ({
  query: { prefix: 'in/', pattern: '**/*.csv', ...more },
})

testConformance(s3Files, [{ name: 'a folder of CSV', values: values(), query: query(), hasNoKey: true, minBatches: 6 }])

describe('a folder that changes while it is read', () => {
  const CSV = (word: string) =>
    `id,name\n${Array.from({ length: 6000 }, (_, at) => `${at},${word} ${LONG}`).join('\n')}\n`
  const asked = query({ prefix: 'moving/' })
  const remove = async () => {
    for (const Key of await keys('moving/')) await client.send(new sdk.DeleteObjectCommand({ Bucket: 'files', Key }))
  }
  beforeEach(async () => {
    await remove()
    await put('moving/a.csv', CSV('old'))
    await put('moving/b.csv', CSV('old'))
  })
  const begin = async () => {
    const reading = await s3Files.source?.read(context(), { query: asked })
    const batches = reading?.batches[Symbol.asyncIterator]()
    const { value } = (await batches?.next()) ?? {}
    return { batches, state: (value as Batch).state as Record<string, unknown> }
  }
  const readOn = async ({ batches }: Awaited<ReturnType<typeof begin>>) => {
    while (!(await batches?.next())?.done);
  }

  test('a file that is replaced before it is opened is not read', async () => {
    const begun = await begin()
    await put('moving/b.csv', CSV('new'))
    await expect(readOn(begun)).rejects.toThrow(SourceChanged)
  })

  test('a file that is deleted before it is opened is not passed over', async () => {
    const begun = await begin()
    await client.send(new sdk.DeleteObjectCommand({ Bucket: 'files', Key: 'moving/b.csv' }))
    await expect(readOn(begun)).rejects.toThrow(SourceChanged)
  })

  test('all files are gone: said in the same way with and without a checkpoint', async () => {
    const { state } = await begin()
    await remove()
    for (const request of [{ query: asked }, { query: asked, state }]) {
      const gone = readAll(s3Files, context(), request)
      await expect(gone).rejects.toThrow(SourceGone)
      await expect(gone).rejects.toMatchObject({ kind: 'configuration', message: 'There is no file to read.' })
    }
  })
})

test('only new and changed files are read again, in the order they were written', async () => {
  const asked = query({ which: 'changed' })
  const first = await readAll(s3Files, context(), { query: asked })
  expect(first.rows).toHaveLength(18_000)
  await put('in/day 4/rows.csv', 'id,name,day\n1,late,2026-01-04\n')
  const second = await readAll(s3Files, context(), { query: asked, state: first.finalState ?? {} })
  expect(second.rows).toEqual([[1, 'late', '2026-01-04']])
  const third = await readAll(s3Files, context(), { query: asked, state: second.finalState ?? {} })
  expect(third.rows).toEqual([])
  await client.send(new sdk.DeleteObjectCommand({ Bucket: 'files', Key: 'in/day 4/rows.csv' }))
})

test.each([
  ['a wrong key', { access_key_id: 'nobody' }, 'bucket.access_key_id'],
  ['a bucket that is not there', { bucket: 'nowhere' }, 'bucket.bucket'],
  ['nothing entered', { bucket: '' }, 'bucket.bucket'],
])('%s has its own sentence', async (_, changes, field) => {
  const check = s3Files.check(createTestContext({ values: values(changes) }))
  await expect(check).rejects.toMatchObject({ name: 'ConnectorError', kind: 'configuration', field })
})

test.each([
  ['SignatureDoesNotMatch', 403, 'bucket.secret_access_key'],
  ['AccessDenied', 403, 'bucket.access_key_id'],
  ['PermanentRedirect', 301, 'bucket.region'],
])('%s, which the local store never says, has its own sentence', (name, httpStatusCode, field) => {
  expect(toBucketError({ name, $metadata: { httpStatusCode } }, 'files')).toMatchObject({
    kind: 'configuration',
    field,
  })
})

test('every call goes out through the context', async () => {
  const refusing = {
    ...context(),
    fetch: () => Promise.reject(Object.assign(new Error('refused by the guard'), { name: 'OutgoingProblem' })),
  }
  await expect(s3Files.check(refusing)).rejects.toThrow('refused by the guard')
})

test('an address that may not be called is said at the endpoint, with what to do', async () => {
  const guarded = {
    ...context(),
    fetch: () =>
      Promise.reject(Object.assign(new Error('10.0.0.1 is an address inside.'), { code: 'address_refused' })),
  }
  const refusal = {
    kind: 'configuration',
    message: '10.0.0.1 is an address inside.',
    field: 'bucket.endpoint',
    advice: expect.stringContaining('public internet'),
  }
  await expect(s3Files.check(guarded)).rejects.toMatchObject(refusal)
  await expect(readAll(s3Files, guarded, { query: query() })).rejects.toMatchObject(refusal)
})

describe('writing', () => {
  const FIELDS: Field[] = [
    { name: 'id', type: 'integer', isNullable: false },
    { name: 'name', type: 'text', isNullable: true },
    { name: 'at', type: 'timestamptz', isNullable: true },
    { name: 'doc', type: 'json', isNullable: true },
  ]
  const batch = (first: number): Batch => ({
    kind: 'rows',
    rows: [
      [first, 'a "quoted", text\n', '2026-01-01T00:00:00.5Z', '{"a":1}'],
      [first + 1, null, null, null],
    ],
  })
  const request = (prefix: string, loadId: string, more: Partial<WriteRequest> = {}): WriteRequest => ({
    query: { target: { prefix, format: 'csv' } },
    fields: FIELDS,
    key: [],
    strategy: 'Append',
    loadId,
    ...more,
  })
  async function write(writeRequest: WriteRequest, batches: Batch[]) {
    const writer = await s3Files.destination?.open(context(), writeRequest)
    for (const item of batches.slice(writer?.committedBatches)) await writer?.write(item)
    return await writer?.finish()
  }

  test.each(['csv', 'jsonl', 'parquet'])('what is written as %s is read back', async (format) => {
    const done = await write(
      request(`out-${format}`, 'load-1', { query: { target: { prefix: `out-${format}`, format } } }),
      [batch(1), batch(3)],
    )
    expect(done).toEqual({ rows: 4 })
    const { fields, rows } = await readAll(s3Files, context(), { query: { query: { prefix: `out-${format}/` } } })
    expect(fields.map(({ name }) => name)).toEqual(['id', 'name', 'at', 'doc'])
    expect(rows.map(([id, name, , doc]) => [id, name, doc])).toEqual([
      [1, 'a "quoted", text\n', '{"a":1}'],
      [2, null, null],
      [3, 'a "quoted", text\n', '{"a":1}'],
      [4, null, null],
    ])
    expect(String(rows[0]?.[2])).toMatch(/^2026-01-01T00:00:00\.50*(Z|\+00)$/)
  })

  test('a repeated load writes the same objects, the mark last', async () => {
    const writeRequest = request('again', 'load-7')
    const writer = await s3Files.destination?.open(context(), writeRequest)
    await writer?.write(batch(1))
    expect(await keys('again/')).toHaveLength(1)
    const second = await s3Files.destination?.open(context(), writeRequest)
    expect(second?.committedBatches).toBe(1)
    expect(await write(writeRequest, [batch(1), batch(3)])).toEqual({ rows: 4 })
    expect(await write(writeRequest, [batch(1), batch(3)])).toEqual({ rows: 4 })
    expect(await keys('again/')).toEqual([
      'again/load-load-7/_done',
      'again/load-load-7/part-000001-2.csv',
      'again/load-load-7/part-000002-2.csv',
    ])
  })

  test('replace deletes earlier loads once the new one is complete, and nothing else', async () => {
    await put('swap/own.txt', 'mine')
    await write(request('swap', 'old', { strategy: 'Replace' }), [batch(1), batch(3)])
    const writer = await s3Files.destination?.open(context(), request('swap', 'new', { strategy: 'Replace' }))
    await writer?.write(batch(5))
    expect((await keys('swap/load-old/')).length).toBe(3)
    await writer?.finish()
    expect(await keys('swap/')).toEqual(['swap/load-new/_done', 'swap/load-new/part-000001-2.csv', 'swap/own.txt'])
  })

  test('an abandoned load leaves nothing', async () => {
    const writer = await s3Files.destination?.open(context(), request('gone', 'x'))
    await writer?.write(batch(1))
    await writer?.abandon()
    expect(await keys('gone/')).toEqual([])
  })
})
