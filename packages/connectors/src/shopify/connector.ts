import type { Forma } from '@trellis/contract/formas/forma'
import { type Connector, addressFrom, defineConnector } from '@trellis/connector-kit/connector'
import { checkStreams } from '@trellis/connector-kit/rest/check-connection'
import { restSource } from '@trellis/connector-kit/rest/rest-source'
import { streamForma } from '@trellis/connector-kit/rest/stream-forma'
import { API_PATH, shopifyManifest } from './manifest.ts'
import { shopifySimulator } from './simulator.ts'

const setupForma: Forma = {
  forma_trellis_code: 'shopify_setup',
  title: 'Shopify',
  sections: [
    {
      reference: 'shop',
      order: 1,
      title: 'Shop',
      is_required: true,
      elements: [
        {
          reference: 'name',
          order: 1,
          label: 'Shop name',
          help: 'The part before .myshopify.com.',
          data_type: 'str',
          type: 'text',
          properties: {
            placeholder: 'my-shop',
            pattern: '^[A-Za-z0-9][A-Za-z0-9-]*$',
            pattern_message: 'Enter only the part before .myshopify.com: letters, digits and dashes.',
            max_length: 100,
          },
        },
        {
          reference: 'access_token',
          order: 2,
          label: 'Admin API access token',
          data_type: 'str',
          type: 'secret',
          properties: { placeholder: 'shpat_…', min_length: 8 },
        },
      ],
    },
  ],
}

const source = restSource(shopifyManifest, {
  platform: 'Shopify',
  queryFormas: [streamForma('shopify', shopifyManifest)],
  secretValues: ['shop.access_token'],
  // Every shop has a host of its own: only a simulator has one that is known beforehand.
  baseUrl: ({ hostOf }) => (hostOf('shop') === '' ? undefined : `${hostOf('shop')}${API_PATH}`),
})

export const shopify: Connector = defineConnector({
  code: 'shopify',
  name: 'Shopify',
  summary: 'Orders, customers and products of a shop.',
  tags: ['source', 'commerce'],
  hosts: { shop: '' },
  secretsGoTo: addressFrom('shop.name'),
  setupForma,
  async check(context) {
    const readable = await checkStreams(context, {
      source,
      streams: shopifyManifest.streams,
      field: 'shop.access_token',
    })
    return [{ label: 'Shop', value: context.values['shop']?.['name'] as string }, ...readable]
  },
  source,
  simulator: shopifySimulator,
})
