import type { RestManifest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import { toRestFields } from '../shared/rest-fields.ts'

/** Recent records are read again: charges are refunded and invoices paid later. */
const LOOKBACK_DAYS = 30

function list(name: string, title: string, rest: Partial<RestStream>): RestStream {
  return {
    name,
    title,
    request: { path: `/v1/${name}` },
    records: 'data',
    key: ['id'],
    paginate: {
      type: 'cursor',
      token: 'last_record.id',
      parameter: 'starting_after',
      has_more: 'has_more',
      size_parameter: 'limit',
      size: 100,
    },
    ...rest,
  }
}

/** Stripe filters by creation, not by change: only records that settle soon can be read incrementally. */
const byCreation: Partial<RestStream> = {
  cursor: {
    field: 'created',
    kind: 'datetime',
    format: 'unix',
    start_parameter: 'created[gte]',
    lookback_days: LOOKBACK_DAYS,
  },
}

export const stripeManifest: RestManifest = {
  version: 1,
  base_url: '{{ host.api }}',
  inputs: [],
  auth: { type: 'bearer', token: '{{ values.account.secret_key }}' },
  headers: { 'Stripe-Version': '2024-06-20' },
  budget: { requests: 20, seconds: 1 },
  errors: [
    {
      status: [401],
      kind: 'configuration',
      message: 'Stripe does not know this key.',
      advice: 'Copy the key again from the Stripe dashboard, under Developers, API keys.',
    },
    {
      status: [403],
      kind: 'configuration',
      message: 'The key may not read this at Stripe.',
      advice: 'Give the restricted key read access to the resources you want to load.',
    },
    { status: [409], kind: 'transient' },
  ],
  streams: [
    list('customers', 'Customers', {
      fields: toRestFields({
        id: 'text',
        email: 'text',
        name: 'text',
        phone: 'text',
        currency: 'text',
        balance: 'integer',
        delinquent: 'boolean',
        description: 'text',
        address: 'json',
        metadata: 'json',
        created: 'timestamptz',
        livemode: 'boolean',
      }),
    }),
    list('charges', 'Charges', {
      ...byCreation,
      fields: toRestFields({
        id: 'text',
        amount: 'integer',
        amount_refunded: 'integer',
        currency: 'text',
        customer: 'text',
        invoice: 'text',
        payment_intent: 'text',
        status: 'text',
        paid: 'boolean',
        refunded: 'boolean',
        failure_code: 'text',
        card_brand: ['text', 'payment_method_details.card.brand'],
        metadata: 'json',
        created: 'timestamptz',
      }),
    }),
    list('invoices', 'Invoices', {
      ...byCreation,
      fields: toRestFields({
        id: 'text',
        number: 'text',
        customer: 'text',
        subscription: 'text',
        status: 'text',
        currency: 'text',
        amount_due: 'integer',
        amount_paid: 'integer',
        amount_remaining: 'integer',
        total: 'integer',
        due_date: 'timestamptz',
        period_start: 'timestamptz',
        period_end: 'timestamptz',
        lines: ['json', 'lines.data'],
        created: 'timestamptz',
      }),
    }),
    list('subscriptions', 'Subscriptions', {
      request: { path: '/v1/subscriptions', query: { status: 'all' } },
      fields: toRestFields({
        id: 'text',
        customer: 'text',
        status: 'text',
        currency: 'text',
        cancel_at_period_end: 'boolean',
        canceled_at: 'timestamptz',
        current_period_start: 'timestamptz',
        current_period_end: 'timestamptz',
        items: ['json', 'items.data'],
        created: 'timestamptz',
      }),
    }),
    list('refunds', 'Refunds', {
      ...byCreation,
      fields: toRestFields({
        id: 'text',
        amount: 'integer',
        currency: 'text',
        charge: 'text',
        payment_intent: 'text',
        reason: 'text',
        status: 'text',
        created: 'timestamptz',
      }),
    }),
  ],
}
