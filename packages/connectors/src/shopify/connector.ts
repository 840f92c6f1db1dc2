import { type Connector, joinElements, defineConnector } from '@trellis/connector-kit/connector'
import { checkStreams } from '@trellis/connector-kit/rest/check-connection'
import { createRestSource } from '@trellis/connector-kit/rest/rest-source'
import { buildStreamForma } from '@trellis/connector-kit/rest/stream-forma'
import { usesOauth } from '../shared/consent-sections.ts'
import { API_PATH, TOKEN_HEADER, shopifyManifest } from './manifest.ts'
import { oauth } from './oauth.ts'
import { SECTION, setupForma } from './setup-forma.ts'
import { shopifySimulator } from './simulator.ts'

const source = createRestSource(
  ({ values }) => (usesOauth(values, SECTION) ? { ...shopifyManifest, auth: { type: 'oauth' } } : shopifyManifest),
  {
    platform: 'Shopify',
    queryFormas: [buildStreamForma('shopify', shopifyManifest)],
    secretValues: ['shop.access_token'],
    tokenHeaders: (token) => ({ [TOKEN_HEADER]: token }),
    // Each shop has its own host; only a simulator's is known.
    baseUrl: ({ getHost }) => (getHost('shop') === '' ? undefined : `${getHost('shop')}${API_PATH}`),
  },
)

export const shopify: Connector = defineConnector({
  code: 'shopify',
  name: 'Shopify',
  summary: 'Orders, customers and products of a shop.',
  tags: ['source', 'commerce'],
  hosts: { shop: '' },
  oauth,
  secretsGoTo: joinElements('shop.name'),
  setupForma,
  async check(context) {
    const readable = await checkStreams(context, {
      source,
      streams: shopifyManifest.streams,
      field: usesOauth(context.values, SECTION) ? 'consent.link' : 'shop.access_token',
    })
    return [{ label: 'Shop', value: context.values['shop']?.['name'] as string }, ...readable]
  },
  source,
  simulator: shopifySimulator,
})
