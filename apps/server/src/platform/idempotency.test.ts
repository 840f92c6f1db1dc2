import { createHash } from 'node:crypto'
import { signup } from '@trellis/contract/identity/identity.endpoints'
import type { Endpoint } from '@trellis/contract/core/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { allRoutes } from '../modules/all-routes.ts'
import { type TestApp, startTestApp } from '../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startTestApp({ settings: { TRELLIS_RATE_LIMITS: 'off' } })
})
afterAll(async () => await app.close())

const send = (email: string, key: string) =>
  app.client().call(signup, {
    body: { firstName: 'Test', surname: 'Person', email, password: 'Str0ng!pass' },
    headers: { 'idempotency-key': key },
  })
const countSignups = async (email: string) =>
  (await app.database.db.selectFrom('signups').select('id').where('email', '=', email).execute()).length

test('five at once with one key make one thing and get one answer', async () => {
  const answers = await Promise.all(Array.from({ length: 5 }, () => send('one@example.com', 'key-1')))
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
  expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === 'true')).toHaveLength(4)
  expect(await countSignups('one@example.com')).toBe(1)
})

test('the same key with other content is refused', async () => {
  await send('two@example.com', 'key-2')
  const answer = await send('three@example.com', 'key-2')
  expect(answer.errors[0]).toMatchObject({ code: 'idempotency_key_reused', source: { header: 'Idempotency-Key' } })
  expect(await countSignups('three@example.com')).toBe(0)
})

test('a request that was refused may be sent again with the same key', async () => {
  const wrong = await app.client().call(signup, { body: { email: 'x' }, headers: { 'idempotency-key': 'key-3' } })
  expect(wrong.status).toBe(400)
  expect((await send('four@example.com', 'key-3')).status).toBe(200)
})

test.each(['', 'has space', 'x'.repeat(256)])('a key of the wrong form is refused (%s)', async (key) => {
  expect((await send('five@example.com', key)).errors[0]?.code).toBe('idempotency_key_invalid')
})

test('neither the input nor the answer can be read from what is kept', async () => {
  await send('kept@example.com', 'key-kept')
  const { rows } = await app.database.pool.query<{ row: string; body_hash: Buffer }>(
    "select k::text as row, body_hash from idempotency_keys k where key = 'key-kept'",
  )
  expect(rows[0]?.row).not.toContain('done')
  const input = {
    params: undefined,
    query: undefined,
    body: { firstName: 'Test', surname: 'Person', email: 'kept@example.com', password: 'Str0ng!pass' },
  }
  expect(rows[0]?.body_hash).not.toEqual(createHash('sha256').update(JSON.stringify(input)).digest())
})

test('a call with a key and a password hashes it before it takes a connection', () => {
  const isKeyed = ({ endpoint }: { endpoint: Endpoint }) =>
    endpoint.creates &&
    JSON.stringify(z.toJSONSchema(endpoint.body ?? z.object({}), { io: 'input' })).includes('"password"')
  const keyed = allRoutes.filter((route) => isKeyed(route))
  expect(keyed.map(({ endpoint }) => endpoint.id)).toEqual(['signup', 'signupAlias'])
  expect(keyed.filter(({ prepare }) => prepare === undefined)).toEqual([])
})
