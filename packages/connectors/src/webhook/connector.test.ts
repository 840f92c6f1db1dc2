import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { webhook } from './connector.ts'

interface Seen {
  key: string
  signature: string
  body: string
}
let seen: Seen[] = []
let answers: number[] = []
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { headers } = request
    seen.push({ key: String(headers['idempotency-key']), signature: String(headers['x-trellis-signature']), body })
    response.writeHead(answers.shift() ?? 200).end('{}')
  })
})
await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
afterAll(() => void server.close())
beforeEach(() => {
  seen = []
  answers = []
})

const SECRET = 'a secret of some length'
const values = (changes = {}) => ({
  receiver: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, secret: SECRET, ...changes },
})
const open = () =>
  webhook.destination?.open(createTestContext({ values: values() }), {
    query: { target: { rows: 2 } },
    fields: [
      { name: 'id', type: 'integer', isNullable: false },
      { name: 'doc', type: 'json', isNullable: true },
    ],
    key: [],
    strategy: 'Append',
    loadId: 'load-1',
  })
const batch = {
  kind: 'rows' as const,
  rows: [
    [1, '{"a":1}'],
    [2, null],
    [3, null],
  ],
}

test('rows are sent as JSON, some at a time, each request with a key of its own', async () => {
  const writer = await open()
  await writer?.write(batch)
  expect(await writer?.finish()).toEqual({ rows: 3 })
  expect(seen.map(({ key }) => key)).toEqual(['load-1-1-1', 'load-1-1-2', 'load-1-finished'])
  expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
    event: 'rows',
    load_id: 'load-1',
    batch: 1,
    part: 1,
    rows: [
      { id: 1, doc: { a: 1 } },
      { id: 2, doc: null },
    ],
  })
})

test('a repeated load sends the same keys', async () => {
  for (const writer of [await open(), await open()]) await writer?.write(batch)
  expect(seen.map(({ key }) => key)).toEqual(['load-1-1-1', 'load-1-1-2', 'load-1-1-1', 'load-1-1-2'])
})

test('the signature can be computed again from what arrived', async () => {
  await (await open())?.write(batch)
  for (const { signature, body } of seen) {
    const [, time, value] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature) ?? []
    expect(value).toBe(createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex'))
  }
})

test('what passes is tried again with the same key', async () => {
  answers = [429, 503, 200]
  await (await open())?.write({ kind: 'rows', rows: [[1, null]] })
  expect(seen.map(({ key }) => key)).toEqual(['load-1-1-1', 'load-1-1-1', 'load-1-1-1'])
})

test('a refusal is something to mend, without the secrets', async () => {
  answers = [401]
  const error = await webhook
    .check(createTestContext({ values: values({ token: 'planted-token' }) }))
    .catch((caught: unknown) => caught)
  expect(error).toMatchObject({ name: 'ConnectorError', kind: 'configuration' })
  expect(`${String(error)}${JSON.stringify(error)}`).not.toMatch(/planted-token|a secret of/)
  await expect(webhook.check(createTestContext({ values: values({ url: 'hooks' }) }))).rejects.toMatchObject({
    field: 'receiver.url',
  })
  expect(await webhook.check(createTestContext({ values: values() }))).toHaveLength(1)
})
