import type Stripe from 'stripe'

/**
 * Everything the sandbox keeps, typed by the SDK itself: a field that a newer version of the provider's API promises
 * and the sandbox lacks does not compile.
 */
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

/** Typed as a number with many digits, but a plain text on the wire. */
export function decimal(value: number): Stripe.Decimal {
  return String(value) as unknown as Stripe.Decimal
}

export function toList<T>(data: T[], url: string, hasMore = false): Stripe.ApiList<T> {
  return { object: 'list', data, has_more: hasMore, url }
}

/** The id in a field that may hold an id or the whole object. */
export function toId(value: string | { id: string } | null | undefined): string | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? value : value.id
}
