import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'
import { toDecimal, toId, toList } from '../stripe-objects.ts'

export interface LineInput {
  description: string
  /** In cents; negative for a credit. */
  amount: number
  quantity: number
  price: Stripe.Price | null
  period: { start: number; end: number }
  isProration?: boolean
}

export interface InvoiceInput {
  customer: Stripe.Customer
  reason: Stripe.Invoice.BillingReason
  lines: LineInput[]
  subscription?: Stripe.Subscription
  metadata?: Record<string, string>
  finalizesAt?: number
}

export function makeInvoice(context: SandboxContext, about: InvoiceInput): Stripe.Invoice {
  const { customer, subscription, lines } = about
  const id = createId('in')
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  const period = lines[0]?.period ?? { start: context.now, end: context.now }
  return {
    id,
    object: 'invoice',
    account_country: 'US',
    account_name: 'Trellis',
    account_tax_ids: null,
    amount_due: Math.max(total, 0),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: Math.max(total, 0),
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: about.finalizesAt !== undefined,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: about.finalizesAt ?? null,
    billing_reason: about.reason,
    collection_method: 'charge_automatically',
    created: context.now,
    currency: 'usd',
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: toList(
      lines.map((line) => makeLine(line, { invoice: id, subscription })),
      `/v1/invoices/${id}/lines`,
    ),
    livemode: false,
    metadata: about.metadata ?? {},
    next_payment_attempt: null,
    number: null,
    on_behalf_of: null,
    parent: subscription
      ? {
          quote_details: null,
          subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
          type: 'subscription_details',
        }
      : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period.end,
    period_start: period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    test_clock: context.testClock,
    total,
    total_discount_amounts: [],
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: context.now,
  }
}

export function makeLine(
  line: LineInput,
  about: { invoice: string; subscription: Stripe.Subscription | undefined },
): Stripe.InvoiceLineItem {
  const { price, quantity } = line
  const item = about.subscription?.items.data[0]
  return {
    id: createId('il'),
    object: 'line_item',
    amount: line.amount,
    currency: 'usd',
    description: line.description,
    discount_amounts: [],
    discountable: !line.isProration,
    discounts: [],
    invoice: about.invoice,
    livemode: false,
    metadata: {},
    parent: item
      ? {
          invoice_item_details: null,
          subscription_item_details: {
            invoice_item: null,
            proration: line.isProration ?? false,
            proration_details: null,
            subscription: about.subscription?.id ?? null,
            subscription_item: item.id,
          },
          type: 'subscription_item_details',
        }
      : null,
    period: line.period,
    pretax_credit_amounts: [],
    pricing: price
      ? {
          price_details: { price: price.id, product: toId(price.product) ?? '' },
          type: 'price_details',
          unit_amount_decimal: toDecimal(price.unit_amount ?? 0),
        }
      : null,
    quantity,
    quantity_decimal: toDecimal(quantity),
    subscription: about.subscription?.id ?? null,
    subtotal: line.amount,
    taxes: [],
  }
}
