import { conformance } from '@trellis/connector-kit/testing/conformance'
import { checkManifest } from '@trellis/connector-kit/rest/check-manifest'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { testContext } from '@trellis/connector-kit/testing/test-context'
import { expect, test } from 'vitest'
import { shopify } from './connector.ts'
import { shopifyManifest } from './manifest.ts'
import { shopifySimulator as simulator } from './simulator.ts'

const values = { shop: { name: 'my-shop', access_token: 'shpat_planted_secret' } }

conformance(
  shopify,
  shopifyManifest.streams.map(({ name }) => ({ name, values, query: { data: { stream: name } }, fewestBatches: 2 })),
)

test('the manifest has no faults', () => {
  expect(checkManifest(shopifyManifest, { setupForma: shopify.setupForma })).toEqual([])
})

test('a real shop is called at its own host, and nowhere else', async () => {
  const context = testContext({ values, simulator, hosts: { shop: '' } })
  const whole = await readAll(shopify, context, { query: { data: { stream: 'orders' } } })
  expect(whole.rows.length).toBeGreaterThan(250)
  for (const { url } of context.requests) {
    expect(url).toMatch(/^https:\/\/my-shop\.myshopify\.com\/admin\/api\/[\d-]+\/orders\.json\?/)
  }
  const evil = testContext({
    values: { shop: { ...values.shop, name: 'evil.invalid/' } },
    simulator,
    hosts: { shop: '' },
  })
  await expect(shopify.check(evil)).rejects.toThrow("can't be part of an address")
  expect(evil.requests).toEqual([])
})

test.each([
  ['shpat_wrong', 'Shopify does not accept this access token.'],
  ['shpat_limited', 'Customers: The app may not read this at Shopify.'],
])('the token %s: %s', async (token, message) => {
  const context = testContext({ values: { shop: { name: 'my-shop', access_token: token } }, simulator })
  await expect(shopify.check(context)).rejects.toMatchObject({
    kind: 'configuration',
    message,
    field: 'shop.access_token',
  })
})
