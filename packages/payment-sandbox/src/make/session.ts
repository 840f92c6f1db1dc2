import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'
import { toList } from '../stripe-objects.ts'

export interface SessionInput {
  mode: 'subscription' | 'payment'
  customer: Stripe.Customer | undefined
  customerEmail: string | null
  lines: { price: Stripe.Price; quantity: number }[]
  successUrl: string
  cancelUrl: string | null
  clientReference: string | null
  metadata: Record<string, string>
  hasInvoice: boolean
  expiresAt: number
}

function makeLine(line: { price: Stripe.Price; quantity: number }): Stripe.LineItem {
  const amount = (line.price.unit_amount ?? 0) * line.quantity
  return {
    id: createId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: line.price.currency,
    description: line.price.nickname,
    metadata: {},
    price: line.price,
    quantity: line.quantity,
  }
}

export function makeSession(context: SandboxContext, about: SessionInput): Stripe.Checkout.Session {
  const id = createId('cs_test')
  const lines = about.lines.map((line) => makeLine(line))
  const total = lines.reduce((sum, line) => sum + line.amount_total, 0)
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: total,
    amount_total: total,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: about.cancelUrl,
    client_reference_id: about.clientReference,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: context.now,
    currency: lines[0]?.currency ?? 'usd',
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: about.customer?.id ?? null,
    customer_account: null,
    customer_creation: about.mode === 'payment' ? 'if_required' : null,
    customer_details: null,
    customer_email: about.customerEmail,
    discounts: [],
    expires_at: about.expiresAt,
    integration_identifier: null,
    invoice: null,
    invoice_creation:
      about.mode === 'payment'
        ? {
            enabled: about.hasInvoice,
            invoice_data: {
              account_tax_ids: null,
              custom_fields: null,
              description: null,
              footer: null,
              issuer: null,
              metadata: {},
              rendering_options: null,
            },
          }
        : null,
    line_items: toList(lines, `/v1/checkout/sessions/${id}/line_items`),
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: about.metadata,
    mode: about.mode,
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: about.mode === 'subscription' ? 'always' : 'if_required',
    payment_method_configuration_details: null,
    payment_method_options: null,
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: about.successUrl,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
    ui_mode: 'hosted_page',
    url: `${context.pagesUrl}/c/${id}`,
    wallet_options: null,
  }
}
