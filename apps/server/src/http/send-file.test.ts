import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
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
