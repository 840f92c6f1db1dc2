import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { BaseCtx } from '../../../platform/ctx.ts'
import { createSafeHttp } from '../../../platform/safe-http/safe-http.ts'
import { type Canary, closeServers, startCanary, startWeb } from '../../../platform/safe-http/testing/local-servers.ts'
import { type AlertPayload, callWebhook } from './webhook.ts'

const ALLOWED = '127.0.0.2'
const INSIDE = '127.0.0.1'
/** DNS answers in order; the last one repeats. */
let answers: string[] = []
const http = createSafeHttp({
  allowPrivateHosts: false,
  allowList: [ALLOWED],
  resolver: async () => [(answers.length > 1 ? answers.shift() : answers[0]) ?? INSIDE],
})
let canary: Canary
let web: URL
let status = 200
let location = ''
const paths: string[] = []

const ctx = { ports: { http, pepper: Buffer.from('pepper') }, clock: { now: () => new Date() } } as unknown as BaseCtx
const told: AlertPayload = {
  type: 'test',
  sent_at: '2026-11-15T06:02:11.000Z',
  message: 'A test.',
  url: 'https://trellis.example.com/',
  dataflow: { trellis_code: 'b7x2m4qd9tka', name: 'Daily' },
  task_block: null,
  flow_run: null,
  task_run: null,
}

beforeAll(async () => {
  canary = await startCanary([INSIDE])
  web = new URL(
    await startWeb(ALLOWED, (request, response) => {
      paths.push(request.url ?? '')
      response.writeHead(status, { location, connection: 'close' }).end()
    }),
  )
})
beforeEach(() => {
  paths.length = 0
  status = 200
})
afterAll(async () => {
  await http.close()
  await closeServers()
})

const call = (url: string) => callWebhook(ctx, { url, keyNumber: 0 }, told)

test('a name that leads outside when it is looked at and inside when it is called reaches nothing', async () => {
  const url = (port: string | number) => `http://hooks.example.com:${port}/told`
  answers = [ALLOWED]
  expect(await call(url(web.port))).toBeNull()
  answers = [ALLOWED, INSIDE]
  await call(url(canary.port))
  expect(await call(url(canary.port))).not.toBeNull()
  answers = [INSIDE]
  expect(await call(url(canary.port))).not.toBeNull()
  expect(canary.touched).toEqual([])
})

test.each([301, 302, 303, 307, 308])('an answer of %s carries the message nowhere else', async (given) => {
  answers = [ALLOWED]
  status = given
  for (const to of [`http://${INSIDE}:${canary.port}/`, '/elsewhere', `http://169.254.169.254/latest/`]) {
    location = to
    expect(await call(`http://hooks.example.com:${web.port}/told`)).toBe(`It answered ${given}.`)
  }
  expect(paths).toEqual(['/told', '/told', '/told'])
  expect(canary.touched).toEqual([])
})

test.each([
  'http://169.254.169.254/latest/',
  'http://[::1]/',
  'file:///etc/passwd',
  'http://user:pw@hooks.example.com/',
])('%s is refused in words that repeat no more than the host', async (url) => {
  answers = [INSIDE]
  const problem = await call(url)
  expect(problem).toMatch(/\w+/)
  expect(problem).not.toMatch(/pw|passwd|latest/)
})
