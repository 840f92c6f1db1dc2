import { getValue } from '@trellis/connector-kit/rest/path'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { checkManifest } from '@trellis/connector-kit/rest/check-manifest'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { shopify } from './connector.ts'
import { shopifyManifest } from './manifest.ts'
import { shopifySimulator as simulator } from './simulator.ts'

const values = { shop: { name: 'my-shop', method: 'token', access_token: 'shpat_planted_secret' } }

testConformance(
  shopify,
  shopifyManifest.streams.map(({ name, records }) => ({
    name,
    values,
    query: { data: { stream: name } },
    minBatches: 2,
    findRecords: (body) => getValue(body, records) as unknown[] | undefined,
  })),
)

const byOauth = { shop: { name: 'my-shop', method: 'oauth' } }

testConformance(shopify, [
  { name: 'orders by OAuth', values: byOauth, query: { data: { stream: 'orders' } }, minBatches: 2 },
])

test('the token of consent goes in the header Shopify asks for', async () => {
  const context = createTestContext({ values: byOauth, simulator, tokens: ['shpat_of_consent'] })
  await readAll(shopify, context, { query: { data: { stream: 'products' } } })
  for (const { headers } of context.requests) {
    expect(headers).toMatchObject({ 'x-shopify-access-token': 'shpat_of_consent' })
    expect(headers).not.toHaveProperty('authorization')
  }
})

const SIGNED = { code: '0907a61c0c8d55e99db179b68161bc00', shop: 'my-shop.myshopify.com', timestamp: '1337178173' }
const CLIENT_SECRET = 'hush'

function sign(query: Record<string, string>) {
  const message = Object.keys(query)
    .toSorted()
    .map((name) => `${name}=${encodeURIComponent(query[name] ?? '')}`)
    .join('&')
  return { ...query, hmac: createHmac('sha256', CLIENT_SECRET).update(message).digest('hex') }
}

test.each([
  ['signed', sign(SIGNED), true],
  ['signed with a parameter that needs encoding', sign({ ...SIGNED, host: 'YWRtaW4/c2hvcA==', note: 'a b' }), true],
  ['with another code', { ...sign(SIGNED), code: 'other' }, false],
  ['with a parameter more', { ...sign(SIGNED), host: 'more' }, false],
  ['of another shop', sign({ ...SIGNED, shop: 'other.myshopify.com' }), false],
  ['of a host that only ends alike', sign({ ...SIGNED, shop: 'my-shop.myshopify.com.evil.example' }), false],
  ['without a signature', SIGNED, false],
  ['with a signature that is none', { ...SIGNED, hmac: 'ff' }, false],
])('a callback %s', async (_name, query, isRight) => {
  const signed = { values: byOauth, clientSecret: CLIENT_SECRET }
  expect(await shopify.oauth?.verifyCallback?.(query, signed)).toBe(isRight)
})

test('only the name of a shop makes its host', () => {
  expect(shopify.oauth?.baseFor?.({ shop: { name: 'My-Shop' } })).toBe('https://my-shop.myshopify.com')
  for (const name of ['evil.example/', 'a.b', 'a@b', '', undefined, 'x'.repeat(64), '-x', 'my-shop\n']) {
    expect(() => shopify.oauth?.baseFor?.({ shop: { name } }), String(name)).toThrow('The shop name')
  }
})

test('the manifest has no faults', () => {
  expect(checkManifest(shopifyManifest, { setupForma: shopify.setupForma })).toEqual([])
})

test('a real shop is called at its own host, and nowhere else', async () => {
  const context = createTestContext({ values, simulator, hosts: { shop: '' } })
  const whole = await readAll(shopify, context, { query: { data: { stream: 'orders' } } })
  expect(whole.rows.length).toBeGreaterThan(250)
  for (const { url } of context.requests) {
    expect(url).toMatch(/^https:\/\/my-shop\.myshopify\.com\/admin\/api\/[\d-]+\/orders\.json\?/)
  }
  const evil = createTestContext({
    values: { shop: { ...values.shop, name: 'evil.invalid/' } },
    simulator,
    hosts: { shop: '' },
  })
  await expect(shopify.check(evil)).rejects.toThrow("can't be part of an address")
  expect(evil.requests).toEqual([])
})

test('the simulator on a server of its own names that server in the link to the next page', async () => {
  const ask = async (url: string) =>
    await simulator(new Request(url, { headers: { 'x-shopify-access-token': 'shpat_any' } }), 'shop')
  const origin = 'http://127.0.0.1:4711'
  const first = await ask(`${origin}/admin/api/2024-10/orders.json?limit=5`)
  const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  expect(new URL(next).origin).toBe(origin)
  const ids = async (answer: Response) =>
    ((await answer.json()) as { orders: { id: number }[] }).orders.map(({ id }) => id)
  const [one, other] = [await ids(first), await ids(await ask(next))]
  expect(new Set([...one, ...other]).size).toBe(10)
})

test.each([
  ['shpat_wrong', 'Shopify does not accept this access token.'],
  ['shpat_limited', 'Customers: The app may not read this at Shopify.'],
])('the token %s: %s', async (token, message) => {
  const context = createTestContext({ values: { shop: { name: 'my-shop', access_token: token } }, simulator })
  await expect(shopify.check(context)).rejects.toMatchObject({
    kind: 'configuration',
    message,
    field: 'shop.access_token',
  })
})
