import { getValue } from '@trellis/connector-kit/rest/path'
import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { checkManifest } from '@trellis/connector-kit/rest/check-manifest'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { expect, test } from 'vitest'
import { hubspot } from './connector.ts'
import { hubspotManifest } from './manifest.ts'
import { hubspotSimulator as simulator, createHubspotSimulator } from './simulator.ts'

const values = { account: { method: 'token', access_token: 'pat-planted-secret' } }

testConformance(
  hubspot,
  hubspotManifest.streams.map(({ name, records }) => ({
    name,
    values,
    query: { data: { stream: name } },
    minBatches: 2,
    findRecords: (body) => getValue(body, records) as unknown[] | undefined,
  })),
)

testConformance(hubspot, [
  {
    name: 'contacts by OAuth',
    values: { account: { method: 'oauth' } },
    query: { data: { stream: 'contacts' } },
    minBatches: 2,
  },
])

test('the manifest has no faults', () => {
  expect(checkManifest(hubspotManifest, { setupForma: hubspot.setupForma, hosts: Object.keys(hubspot.hosts) })).toEqual(
    [],
  )
})

test('more records than a search can page through are all read', async () => {
  const many = createHubspotSimulator({ contacts: 10_350 })
  const whole = await readAll(hubspot, createTestContext({ values, simulator: many }), {
    query: { data: { stream: 'contacts' } },
  })
  expect(whole.rows).toHaveLength(10_350)
  expect(new Set(whole.rows.map(([id]) => id)).size).toBe(10_350)
})

test('the limit of a day says when reading goes on', async () => {
  const answer = { kind: 'status', status: 429, body: '{"policyName":"DAILY","message":"limit"}' } as const
  const context = createTestContext({ values, simulator, faults: [{ on: 'every', answer }] })
  const read = readAll(hubspot, context, { query: { data: { stream: 'deals' } } })
  await expect(read).rejects.toMatchObject({
    kind: 'rate_limited',
    message: expect.stringContaining('in a day') as string,
  })
})

test.each([
  ['pat-wrong', 'HubSpot does not accept this access token.'],
  ['pat-limited', 'Deals: The app may not read this at HubSpot.'],
])('the token %s: %s', async (token, message) => {
  const context = createTestContext({ values: { account: { access_token: token } }, simulator })
  const field = 'account.access_token'
  await expect(hubspot.check(context)).rejects.toMatchObject({ kind: 'configuration', message, field })
})
