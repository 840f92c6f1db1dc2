import type { RestManifest, RestStream } from '@trellis/contract/integrations/rest-manifest'
import { toRestFields } from '../shared/rest-fields.ts'

export const API_PATH = '/admin/api/2024-10'
export const TOKEN_HEADER = 'x-shopify-access-token'

function list(
  name: string,
  title: string,
  rest: Pick<RestStream, 'fields'> & { query?: Record<string, string> },
): RestStream {
  return {
    name,
    title,
    request: { path: `/${name}.json`, query: { limit: '250', order: 'updated_at asc', ...rest.query } },
    records: name,
    key: ['id'],
    paginate: { type: 'link_header' },
    cursor: { field: 'updated_at', kind: 'datetime', format: 'iso', start_parameter: 'updated_at_min' },
    ...(rest.fields ? { fields: rest.fields } : {}),
  }
}

export const shopifyManifest: RestManifest = {
  version: 1,
  base_url: `https://{{ values.shop.name }}.myshopify.com${API_PATH}`,
  inputs: [],
  auth: { type: 'api_key', in: 'header', name: TOKEN_HEADER, value: '{{ values.shop.access_token }}' },
  budget: { requests: 2, seconds: 1 },
  errors: [
    {
      status: [401],
      kind: 'refresh_token',
      message: 'Shopify does not accept this access token.',
      advice:
        'Copy the Admin API access token of the custom app again. It is shown only once; create another if it is lost.',
    },
    {
      status: [403],
      kind: 'configuration',
      message: 'The app may not read this at Shopify.',
      advice:
        'Give the app the scopes read_orders, read_customers and read_products, and install it again; with OAuth, give consent again.',
    },
    {
      status: [404],
      kind: 'configuration',
      message: 'There is no shop of this name at Shopify.',
      advice: 'Enter the part before .myshopify.com, not the address visitors see.',
    },
    { status: [402, 423], kind: 'configuration', message: 'The shop is frozen or locked at Shopify.' },
  ],
  streams: [
    list('orders', 'Orders', {
      query: { status: 'any' },
      fields: toRestFields({
        id: 'integer',
        name: 'text',
        email: 'text',
        customer_id: ['integer', 'customer.id'],
        financial_status: 'text',
        fulfillment_status: 'text',
        currency: 'text',
        total_price: 'decimal',
        subtotal_price: 'decimal',
        total_tax: 'decimal',
        total_discounts: 'decimal',
        tags: 'text',
        line_items: 'json',
        cancelled_at: 'timestamptz',
        processed_at: 'timestamptz',
        created_at: 'timestamptz',
        updated_at: 'timestamptz',
      }),
    }),
    list('customers', 'Customers', {
      fields: toRestFields({
        id: 'integer',
        email: 'text',
        first_name: 'text',
        last_name: 'text',
        orders_count: 'integer',
        total_spent: 'decimal',
        state: 'text',
        verified_email: 'boolean',
        default_address: 'json',
        created_at: 'timestamptz',
        updated_at: 'timestamptz',
      }),
    }),
    list('products', 'Products', {
      fields: toRestFields({
        id: 'integer',
        title: 'text',
        handle: 'text',
        vendor: 'text',
        product_type: 'text',
        status: 'text',
        tags: 'text',
        variants: 'json',
        published_at: 'timestamptz',
        created_at: 'timestamptz',
        updated_at: 'timestamptz',
      }),
    }),
  ],
}
