import { once } from 'node:events'
import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { AppError } from '../platform/app-error.ts'
import { sendError } from './wire-error.ts'

const stopped = () =>
  new AppError('unavailable', 'The statement was cancelled.', {
    cause: Object.assign(new Error('cancelled'), { code: 'cancelled' }),
  })

const aborted = () => new DOMException('This operation was aborted', 'AbortError')

test.each([
  ['a statement', stopped, 503],
  ['a wait', aborted, 500],
])(
  '%s stopped because its caller went away is no fault; the same with the caller there is',
  async (_, fault, status) => {
    const lines: string[] = []
    const stream = new Writable({ write: (chunk: Buffer, _, done) => done(void lines.push(String(chunk))) })
    const app = Fastify({ logger: { level: 'error', stream } })
    app.setErrorHandler(sendError)
    const ended = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    app.get('/left', async (_, reply) => {
      begun.resolve()
      await once(reply.raw, 'close')
      setImmediate(ended.resolve)
      throw fault()
    })
    app.get('/stays', () => {
      throw fault()
    })
    const base = await app.listen({ port: 0, host: '127.0.0.1' })
    const caller = new AbortController()
    const call = fetch(`${base}/left`, { signal: caller.signal }).catch(() => null)
    await begun.promise
    caller.abort()
    await Promise.all([call, ended.promise])
    expect(lines).toEqual([])
    expect((await fetch(`${base}/stays`)).status).toBe(status)
    expect(lines).toHaveLength(1)
    await app.close()
  },
)

test.each([
  ['08P01', 'server login has been failing, try again later (server_login_retry)'],
  ['08P01', 'query_wait_timeout'],
  ['25006', 'cannot execute UPDATE in a read-only transaction'],
  ['57P02', 'terminating connection because of crash of another server process'],
])('during a failover %s (%s) is a 503 with a time to come back', async (code, message) => {
  const app = Fastify()
  app.setErrorHandler(sendError)
  app.get('/', () => {
    throw Object.assign(new Error(message), { code })
  })
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(503)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  await app.close()
})

test.each([
  ['23503', 409],
  ['23505', 409],
  ['40P01', 503],
])('requests that were each right by themselves and met (%s) are no fault of the server', async (code, status) => {
  const app = Fastify()
  app.setErrorHandler(sendError)
  app.get('/', () => {
    throw Object.assign(new Error('insert or update on table "orders" violates constraint "orders_fkey"'), { code })
  })
  const answer = await app.inject('/')
  expect(answer.statusCode).toBe(status)
  expect(answer.body).not.toContain('orders')
})
