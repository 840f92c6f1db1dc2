import type { Forma } from '@trellis/contract/formas/forma'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import type { ConnectorContext } from '@trellis/connector-kit/context'
import { buildStreamForma } from '@trellis/connector-kit/rest/stream-forma'
import { buildStreamQuery } from '@trellis/connector-kit/rest/rest-source'
import { readTable } from './read.ts'
import { sampleReceiver } from './receiver.ts'
import { type Shop, countOrders, createShop } from './shop.ts'
import { TABLES } from './tables.ts'

const ORDERS_A_YEAR = 20_000
const MAX_ORDERS = 100_000_000

const setupForma: Forma = {
  forma_trellis_code: 'sample_data_setup',
  title: 'Sample data',
  sections: [
    {
      reference: 'shop',
      order: 1,
      title: 'The shop',
      description: 'Sample data of a shop that opened on 1 January 2025 and has sold something every day since.',
      is_required: true,
      elements: [
        {
          reference: 'orders_a_year',
          order: 1,
          label: 'Orders a year',
          help: 'More orders make more rows in every table.',
          data_type: 'int',
          default: ORDERS_A_YEAR,
          type: 'number',
          properties: { min: 1, max: MAX_ORDERS, is_integer: true },
        },
        {
          reference: 'seed',
          order: 2,
          label: 'Seed',
          help: 'The same number always gives the same data; another one gives another shop.',
          data_type: 'int',
          default: 1,
          type: 'number',
          properties: { min: 0, max: 1_000_000, is_integer: true },
        },
      ],
    },
  ],
}

function getShop({ values }: ConnectorContext): Shop {
  const { seed = 1, orders_a_year: orders = ORDERS_A_YEAR } = values['shop'] ?? {}
  return createShop(Number(seed), Math.min(MAX_ORDERS, Math.max(1, Number(orders))))
}

export const sampleData: Connector = defineConnector({
  code: 'sample_data',
  name: 'Sample data',
  summary: 'Sample data of a shop: customers, products, orders and advertising, to try things out with.',
  tags: ['source', 'destination', 'sample'],
  hosts: {},
  setupForma,
  async check(context) {
    const shop = getShop(context)
    const now = context.now().getTime()
    return [
      { label: 'Tables', value: TABLES.map(({ name }) => name).join(', ') },
      { label: 'Orders so far', value: String(countOrders(shop, now)) },
    ]
  },
  source: {
    queryFormas: [
      buildStreamForma('sample_data', {
        streams: TABLES.map(({ name, title }) => ({ name, title, request: { path: '' }, records: '' })),
      }),
    ],
    buildQuery: buildStreamQuery,
    read: async (context, request) => readTable(context, getShop(context), request),
  },
  destination: sampleReceiver,
})
