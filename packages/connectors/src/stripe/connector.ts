import type { Forma } from '@trellis/contract/formas/forma'
import { type Connector, defineConnector } from '@trellis/connector-kit/connector'
import { checkStreams } from '@trellis/connector-kit/rest/check-connection'
import { createRestSource } from '@trellis/connector-kit/rest/rest-source'
import { buildStreamForma } from '@trellis/connector-kit/rest/stream-forma'
import { stripeManifest } from './manifest.ts'
import { stripeSimulator } from './simulator.ts'

const setupForma: Forma = {
  forma_trellis_code: 'stripe_setup',
  title: 'Stripe',
  sections: [
    {
      reference: 'account',
      order: 1,
      title: 'Account',
      is_required: true,
      elements: [
        {
          reference: 'secret_key',
          order: 1,
          label: 'Secret or restricted key',
          help: 'A restricted key with read access is enough, and safer.',
          data_type: 'str',
          type: 'secret',
          properties: {
            placeholder: 'rk_live_…',
            pattern: '^(sk|rk)_\\S+$',
            pattern_message: 'A key begins with sk_ or rk_. The publishable key (pk_) cannot read anything.',
          },
        },
      ],
    },
  ],
}

const source = createRestSource(stripeManifest, {
  platform: 'Stripe',
  queryFormas: [buildStreamForma('stripe', stripeManifest)],
  secretValues: ['account.secret_key'],
})

export const stripe: Connector = defineConnector({
  code: 'stripe',
  name: 'Stripe',
  summary: 'Customers, charges, invoices, subscriptions and refunds.',
  tags: ['source', 'payments'],
  hosts: { api: 'https://api.stripe.com' },
  setupForma,
  async check(context) {
    const readable = await checkStreams(context, {
      source,
      streams: stripeManifest.streams,
      field: 'account.secret_key',
    })
    const key = context.values['account']?.['secret_key']
    const isTest = typeof key === 'string' && key.includes('_test_')
    return [{ label: 'Mode', value: isTest ? 'Test' : 'Live' }, ...readable]
  },
  source,
  simulator: stripeSimulator,
})
