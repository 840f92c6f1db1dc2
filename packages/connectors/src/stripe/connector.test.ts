import { getValue } from '@trellis/connector-kit/rest/path'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { checkManifest } from '@trellis/connector-kit/rest/check-manifest'
import { withFaults } from '@trellis/connector-kit/testing/faults'
import { serveSimulator } from '@trellis/connector-kit/testing/local-host'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { TEST_NOW, createTestContext } from '@trellis/connector-kit/testing/test-context'
import { expect, test } from 'vitest'
import { stripe } from './connector.ts'
import { stripeManifest } from './manifest.ts'
import { stripeSimulator as simulator } from './simulator.ts'

const values = { account: { secret_key: 'rk_test_planted_secret' } }

testConformance(
  stripe,
  stripeManifest.streams.map(({ name, records }) => ({
    name,
    values,
    query: { data: { stream: name } },
    minBatches: 2,
    findRecords: (body) => getValue(body, records) as unknown[] | undefined,
  })),
)

test('the manifest has no faults', () => {
  expect(checkManifest(stripeManifest, { setupForma: stripe.setupForma, hosts: Object.keys(stripe.hosts) })).toEqual([])
})

test('a later run asks from where the last one ended, less 30 days', async () => {
  const query = { data: { stream: 'charges' } }
  const first = await readAll(stripe, createTestContext({ values, simulator }), { query })
  const context = createTestContext({ values, simulator })
  await readAll(stripe, context, { query, state: first.finalState ?? {} })
  const asked = new URL(context.requests[0]?.url ?? '').searchParams.get('created[gte]')
  const last = Date.parse((first.finalState as { cursor: string }).cursor) / 1000
  expect(Number(asked)).toBe(last - 30 * 86_400)
})

test.each([
  ['rk_test_wrong', 'Stripe does not know this key.'],
  ['rk_test_limited', 'Invoices: The key may not read this at Stripe.'],
])('the key %s: %s', async (key, message) => {
  const context = createTestContext({ values: { account: { secret_key: key } }, simulator })
  await expect(stripe.check(context)).rejects.toMatchObject({
    kind: 'configuration',
    message,
    field: 'account.secret_key',
  })
})

test('over real HTTP, with refusals and lost connections on the way', async () => {
  const query = { data: { stream: 'charges' } }
  const plain = await readAll(stripe, createTestContext({ values, simulator }), { query })
  const faulty = withFaults(simulator, [
    { on: [1], answer: { kind: 'status', status: 429, headers: { 'retry-after': '1' } } },
    { on: [3], answer: { kind: 'dropped' } },
    { on: [5], answer: { kind: 'cut' } },
    { on: [7], answer: { kind: 'status', status: 503 } },
  ])
  const server = await serveSimulator(faulty, TEST_NOW)
  try {
    const context = createTestContext({ values, hosts: { api: server.toBaseUrl('api') } })
    const whole = await readAll(stripe, context, { query })
    expect(whole.rows).toEqual(plain.rows)
    expect(context.requests.length).toBeGreaterThan(8)
  } finally {
    await server.close()
  }
})

test('the check says what can be read and in which mode', async () => {
  expect(await stripe.check(createTestContext({ values, simulator }))).toEqual([
    { label: 'Mode', value: 'Test' },
    ...['Customers', 'Charges', 'Invoices', 'Subscriptions', 'Refunds'].map((label) => ({
      label,
      value: 'Can be read',
    })),
  ])
})
