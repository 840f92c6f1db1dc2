import { once } from 'node:events'
import { get as request, type IncomingMessage } from 'node:http'
import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readRange, sendFile } from './send-file.ts'

const content = Buffer.from('0123456789')
const app = fastify()
app.get('/file', (request, reply) =>
  sendFile(request, reply, {
    name: 'Umsätze "2026".csv',
    contentType: 'text/csv',
    size: content.length,
    tag: 'one',
    open: async (range) =>
      (async function* () {
        yield range ? content.subarray(range.start, range.end + 1) : content
      })(),
  }),
)
const written = (path: string, write: () => AsyncIterable<Uint8Array>) =>
  app.get(path, (request, reply) =>
    sendFile(request, reply, {
      name: 'log.txt',
      contentType: 'text/plain',
      size: null,
      tag: 'two',
      open: async () => write(),
    }),
  )
const CHUNKS = 40
let wasEnded = false
let url: string
written('/written', async function* () {
  const memory = Buffer.alloc(1024 * 1024)
  for (let chunk = 0; chunk < CHUNKS; chunk += 1) yield memory.fill(chunk)
})
written('/failed', async function* () {
  yield Buffer.from('begun')
  throw new Error('away')
})
written('/refused', () => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('away')) }),
}))
written('/endless', async function* () {
  try {
    for (;;) yield Buffer.alloc(64 * 1024)
  } finally {
    wasEnded = true
  }
})
beforeAll(async () => {
  url = await app.listen({ port: 0 })
})
afterAll(() => app.close())
const get = (headers: Record<string, string> = {}) => app.inject({ url: '/file', headers })

test('a whole file comes with its name, in a form no header can be broken by', async () => {
  const answer = await get()
  expect([answer.statusCode, answer.body]).toEqual([200, '0123456789'])
  expect(answer.headers['content-disposition']).toBe(
    `attachment; filename="Ums_tze__2026_.csv"; filename*=UTF-8''Ums%C3%A4tze%20%222026%22.csv`,
  )
})

test('a download goes on where it stopped', async () => {
  const answer = await get({ range: 'bytes=4-' })
  expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([206, '456789', 'bytes 4-9/10'])
})

test('a file that is another one by now is sent from the start', async () => {
  expect((await get({ range: 'bytes=4-', 'if-range': '"other"' })).body).toBe('0123456789')
  expect((await get({ range: 'bytes=4-', 'if-range': '"one"' })).body).toBe('456789')
})

test('a range behind the end is refused', async () => {
  expect((await get({ range: 'bytes=10-' })).statusCode).toBe(416)
})

test('a file that is written while it is sent arrives whole though its memory is used again for every chunk', async () => {
  const answer = await fetch(`${url}/written`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect(answer.headers.get('content-disposition')).toContain('log.txt')
  expect(bytes.length).toBe(CHUNKS * 1024 * 1024)
  expect(
    Array.from({ length: CHUNKS }, (_, at) => [bytes[at * 1024 * 1024], bytes[(at + 1) * 1024 * 1024 - 1]]),
  ).toEqual(Array.from({ length: CHUNKS }, (_, at) => [at, at]))
})

test('a file that fails on the way is not taken for a whole one', async () => {
  const answer = await fetch(`${url}/failed`)
  await expect(answer.text()).rejects.toThrow()
  expect((await fetch(`${url}/refused`)).status).toBe(500)
})

test('nothing more is written when nobody reads it any more', async () => {
  const [answer] = (await once(request(`${url}/endless`), 'response')) as [IncomingMessage]
  await once(answer, 'data')
  answer.destroy()
  await expect.poll(() => wasEnded).toBe(true)
})

test('only what is said about it is sent when nothing more is wanted', async () => {
  const answer = await fetch(`${url}/written`, { method: 'HEAD' })
  expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([200, '"two"', ''])
})

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=2-500', { start: 2, end: 9 }],
  ['bytes=-500', { start: 0, end: 9 }],
  ['bytes=5-4', 'outside'],
  ['bytes=0-1,3-4', undefined],
  ['bytes=-', undefined],
  ['lines=1-2', undefined],
  [undefined, undefined],
])('%s', (header, range) => {
  expect(readRange(header, 10)).toEqual(range)
})
