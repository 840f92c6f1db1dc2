import type Stripe from 'stripe'

/** The SDK's types: if its API version adds a required field, the sandbox no longer compiles. */
export interface SandboxObjects {
  customer: Stripe.Customer
  product: Stripe.Product
  price: Stripe.Price
  'checkout.session': Stripe.Checkout.Session
  subscription: Stripe.Subscription
  subscription_schedule: Stripe.SubscriptionSchedule
  invoice: Stripe.Invoice
  credit_note: Stripe.CreditNote
  payment_method: Stripe.PaymentMethod
  'billing_portal.session': Stripe.BillingPortal.Session
  'billing_portal.configuration': Stripe.BillingPortal.Configuration
  event: Stripe.Event
  webhook_endpoint: Stripe.WebhookEndpoint
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock
}

export type Kind = keyof SandboxObjects
export type SandboxObject = SandboxObjects[Kind]

/** Typed as Decimal but a string on the wire. */
export function toDecimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal
}

export function toList<T>(data: T[], url: string, hasMore = false): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}

export function toId(value: string | { id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value.id
}
