import { createHash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLocalStore } from './local-store.ts'
import type { ObjectStore } from './object-store.ts'
import { openObjectStore } from './open-object-store.ts'
import { createS3Store } from './s3-store.ts'
import { type S3Server, startS3Server } from './testing/s3-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'trellis-objects-'))
const root = join(folder, 'local')
let s3: { store: ObjectStore; server: S3Server; folder: string }

beforeAll(async () => {
  const directory = join(folder, 's3')
  const server = await startS3Server(directory, ['files'])
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const store = createS3Store({ bucket: 'files', endpoint: server.endpoint, region: 'us-east-1', ...keys })
  s3 = { store, server, folder: directory }
})
afterAll(async () => {
  await s3.server.close()
  rmSync(folder, { recursive: true, force: true })
})

const stores: [string, () => ObjectStore][] = [
  ['on disk', () => createLocalStore(root)],
  ['in S3', () => s3.store],
]

describe.each(stores)('%s', (_, open) => {
  const read = async (key: string, range?: { start: number; end?: number }) => {
    const { stream } = await open().get(key, range ? { range } : {})
    return (await buffer(stream)).toString()
  }

  test('what is put is there, with its size and type', async () => {
    const before = Date.now() - 2000
    expect(
      await open().put('a/report.csv', Readable.from(['id,name\n', '1,Zoë\n']), { contentType: 'text/csv' }),
    ).toEqual({ size: 15 })
    expect(await read('a/report.csv')).toBe('id,name\n1,Zoë\n')
    const info = await open().stat('a/report.csv')
    expect(info).toMatchObject({ key: 'a/report.csv', size: 15, contentType: 'text/csv' })
    expect(info?.modifiedAt.getTime()).toBeGreaterThan(before)
    const { stream, ...got } = await open().get('a/report.csv')
    stream.destroy()
    expect(got).toMatchObject({ size: 15, contentType: 'text/csv' })
  })

  test('bytes and an empty body do as well; the type has a default', async () => {
    await open().put('bytes', Buffer.from('abc'))
    await open().put('empty', Readable.from([]))
    expect(await read('bytes')).toBe('abc')
    expect(await read('empty')).toBe('')
    expect(await open().stat('empty')).toMatchObject({ size: 0, contentType: 'application/octet-stream' })
  })

  test('a range gives those bytes and the whole size', async () => {
    await open().put('range', Buffer.from('0123456789'))
    expect(await read('range', { start: 2, end: 4 })).toBe('234')
    expect(await read('range', { start: 7 })).toBe('789')
    const { size, stream } = await open().get('range', { range: { start: 0, end: 1 } })
    expect(await buffer(stream)).toEqual(Buffer.from('01'))
    expect(size).toBe(10)
  })

  test('a second put replaces the first, with its type', async () => {
    await open().put('twice', Buffer.from('old and longer'), { contentType: 'text/plain' })
    await open().put('twice', Buffer.from('new'))
    expect(await read('twice')).toBe('new')
    expect(await open().stat('twice')).toMatchObject({ size: 3, contentType: 'application/octet-stream' })
  })

  test('what is not there: get says not found, stat nothing, delete is content', async () => {
    await expect(open().get('no/such')).rejects.toMatchObject({ code: 'not_found' })
    expect(await open().stat('no/such')).toBeUndefined()
    await expect(open().delete('no/such')).resolves.toBeUndefined()
    await open().put('soon-gone', Buffer.from('x'), { contentType: 'text/plain' })
    await open().delete('soon-gone')
    expect(await open().stat('soon-gone')).toBeUndefined()
  })

  test('a key may be the beginning of another', async () => {
    await open().put('nest', Buffer.from('outer'))
    await open().put('nest/inner', Buffer.from('inner'))
    expect([await read('nest'), await read('nest/inner')]).toEqual(['outer', 'inner'])
  })

  test('a list has an order, can be continued and holds no other prefix', async () => {
    const keys = ['l/a/1', 'l/a/2', 'l/b/c/d', 'l/b/e', 'l/c', 'l/d', 'l/e/1', 'lx']
    for (const key of keys.toReversed()) await open().put(key, Buffer.from(key))
    const wanted = keys.filter((key) => key.startsWith('l/'))
    const { objects, nextAfter } = await open().list('l/')
    expect(objects.map((object) => object.key)).toEqual(wanted)
    expect(objects.map((object) => object.size)).toEqual(wanted.map((key) => key.length))
    expect(nextAfter).toBeUndefined()
    const rest = await open().list('l/', { after: 'l/b/c/d' })
    expect(rest.objects.map((object) => object.key)).toEqual(['l/b/e', 'l/c', 'l/d', 'l/e/1'])
    expect((await open().list('l/a/')).objects.map((object) => object.key)).toEqual(['l/a/1', 'l/a/2'])
    expect((await open().list('nothing/')).objects).toEqual([])
  })

  test('20 MB in odd pieces come back byte for byte', async () => {
    const piece = randomBytes(999_983)
    const sum = createHash('sha256')
    const pieces = function* () {
      for (let count = 0; count < 21; count += 1) {
        sum.update(piece)
        yield piece
      }
    }
    expect(await open().put('big', Readable.from(pieces()))).toEqual({ size: 999_983 * 21 })
    const back = createHash('sha256')
    const { stream } = await open().get('big')
    for await (const chunk of stream as AsyncIterable<Buffer>) back.update(chunk)
    expect(back.digest('hex')).toBe(sum.digest('hex'))
  })

  test.each([100, 12_000_000])('a body that breaks off after %i bytes leaves what was there before', async (bytes) => {
    await open().put('breaks', Buffer.from('before'))
    const broken = Readable.from(
      (function* () {
        yield Buffer.alloc(bytes)
        yield Buffer.alloc(10)
        throw new Error('The line went dead.')
      })(),
    )
    await expect(open().put('breaks', broken)).rejects.toThrow('The line went dead.')
    expect(await read('breaks')).toBe('before')
  })

  test.each([
    '',
    '/',
    '..',
    '../x',
    'a/../../x',
    '/etc/passwd',
    'a//b',
    'a/',
    './a',
    '.hidden',
    'a/.b',
    'A',
    'a b',
    'a\0b',
    'a\\b',
    'ä',
    '~drafts',
    'a~',
    'a'.repeat(513),
    `${'a'.repeat(201)}/b`,
    '%2e%2e',
    'c:',
    'a\n',
  ])('the key %j is refused by every call', async (key) => {
    await expect(open().put(key, Buffer.from('x'))).rejects.toThrow(/no key/)
    await expect(open().get(key)).rejects.toThrow(/no key/)
    await expect(open().stat(key)).rejects.toThrow(/no key/)
    await expect(open().delete(key)).rejects.toThrow(/no key/)
  })

  test('a key that is too long is refused', async () => {
    await expect(open().put('a/'.repeat(300), Buffer.from('x'))).rejects.toThrow(/no key/)
    await expect(open().put(`${'a'.repeat(201)}/b`, Buffer.from('x'))).rejects.toThrow(/no key/)
  })

  test.each(['../', '/', 'a/../', 'A'])('the prefix %j is refused', async (prefix) => {
    await expect(open().list(prefix)).rejects.toThrow(/no key/)
  })
})

test('a draft that a killed process left is cleared away after a day, a younger one is not', async () => {
  const place = join(folder, 'sweep')
  const drafts = join(place, '~drafts')
  mkdirSync(drafts, { recursive: true })
  for (const name of ['old', 'young']) writeFileSync(join(drafts, name), 'x')
  const yesterday = new Date(Date.now() - 25 * 3600_000)
  utimesSync(join(drafts, 'old'), yesterday, yesterday)
  await createLocalStore(place).put('x', Buffer.from('x'))
  expect(readdirSync(drafts)).toEqual(['young'])
})

test('drafts on disk are gone after success and failure alike, and are never listed', async () => {
  expect(readdirSync(join(root, '~drafts'))).toEqual([])
  writeFileSync(join(root, '~drafts', 'left-by-a-crash'), 'x')
  const { objects } = await createLocalStore(root).list('')
  expect(objects.some(({ key }) => key.includes('left-by-a-crash'))).toBe(false)
})

// The S3 test server sorts by folder and cannot paginate, so local store only.
test('a list has the order of the bytes, page by page', async () => {
  const store = createLocalStore(join(folder, 'order'))
  const keys = ['a', 'a-b', 'a.txt', 'a/1', 'a/b', 'a/b/c', 'a0', 'b']
  for (const key of keys.toReversed()) await store.put(key, Buffer.from(key))
  expect((await store.list('')).objects.map((object) => object.key)).toEqual(keys)
  for (const [index, after] of keys.entries()) {
    const { objects, nextAfter } = await store.list('', { after, limit: 2 })
    expect(nextAfter).toBe(index + 3 < keys.length ? keys[index + 2] : undefined)
    expect(objects.map((object) => object.key)).toEqual(keys.slice(index + 1, index + 3))
  }
})

const modesIn = (place: string) =>
  ['', ...(readdirSync(place, { recursive: true }) as string[])].map((name) => {
    const found = statSync(join(place, name))
    return `${found.isDirectory() ? 'folder' : 'file'} ${(found.mode & 0o777).toString(8)}`
  })

test('files and folders on disk are for their own user alone', async () => {
  const place = join(folder, 'closed')
  await createLocalStore(place).put('a/b/report.csv', Buffer.from('x'), { contentType: 'text/csv' })
  expect(modesIn(place).toSorted()).toEqual([
    ...['file 600', 'file 600'],
    ...['folder 700', 'folder 700', 'folder 700', 'folder 700'],
  ])
})

test('a store that others could read is closed to them when it is opened', async () => {
  const place = join(folder, 'open')
  const outside = join(folder, 'outside')
  mkdirSync(join(place, 'a', 'b'), { recursive: true })
  for (const path of [outside, join(place, 'a', 'b', 'x~')]) writeFileSync(path, 'x', { mode: 0o644 })
  symlinkSync(outside, join(place, 'a', 'link'))
  for (const path of [place, join(place, 'a'), join(place, 'a', 'b')]) chmodSync(path, 0o755)
  const store = createLocalStore(place)
  rmSync(join(place, 'a', 'link'))
  expect(modesIn(place).toSorted()).toEqual(['file 600', 'folder 700', 'folder 700', 'folder 700'])
  expect(statSync(outside).mode & 0o777).toBe(0o644)
  expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['a/b/x'])
})

test('settings choose the store', async () => {
  const store = openObjectStore({ home: folder, s3: undefined, databaseLimits: { disk: 0.99 } })
  await store.put('chosen', Buffer.from('x'))
  expect(readdirSync(join(folder, 'objects'))).toContain('chosen~')
})

test('on a disk that is nearly full no file is stored, not even one that had begun; what is short-lived has a reserve', async () => {
  let use = 0.5
  const store = createLocalStore(join(folder, 'full'), { limit: 0.9, readUse: async () => use })
  const refusal = { code: 'disk_full', message: expect.stringContaining('Delete exports, uploaded files') as string }
  async function* growing() {
    for (let chunk = 0; chunk < 5; chunk += 1) {
      yield Buffer.alloc(8 * 1024 * 1024)
      use = 0.9
    }
  }
  await expect(store.assertSpace()).resolves.toBeUndefined()
  await expect(store.put('a', Readable.from(growing()))).rejects.toMatchObject(refusal)
  await expect(store.assertSpace()).rejects.toMatchObject(refusal)
  await expect(store.put('b', Buffer.from('x'))).rejects.toMatchObject(refusal)
  await store.put('c', Buffer.from('x'), { isShortLived: true })
  use = 0.96
  await expect(store.put('d', Buffer.from('x'), { isShortLived: true })).rejects.toMatchObject(refusal)
  expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['c'])
  expect(readdirSync(join(folder, 'full', '~drafts'))).toEqual([])
})
