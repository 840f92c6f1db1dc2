import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'
import { periodEnd } from '../months.ts'
import { toList } from '../stripe-objects.ts'
import { toPlan } from './catalogue.ts'

const itself = { type: 'self' } as const

export interface SubscriptionInput {
  customer: string
  price: Stripe.Price
  quantity: number
  paymentMethod: string
  metadata: Record<string, string>
}

export function makeSubscription(context: SandboxContext, about: SubscriptionInput): Stripe.Subscription {
  const id = createId('sub')
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null },
    billing_cycle_anchor: context.now,
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    collection_method: 'charge_automatically',
    created: context.now,
    currency: about.price.currency,
    customer: about.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: about.paymentMethod,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: [],
    ended_at: null,
    invoice_settings: { account_tax_ids: null, custom_fields: null, description: null, footer: null, issuer: itself },
    items: toList([makeItem(context, { ...about, subscription: id })], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    livemode: false,
    managed_payments: null,
    metadata: about.metadata,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { payment_method_options: null, payment_method_types: null, save_default_payment_method: 'off' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: context.now,
    status: 'active',
    test_clock: context.testClock,
    transfer_data: null,
    trial_end: null,
    trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
    trial_start: null,
  }
}

function makeItem(
  context: SandboxContext,
  about: { subscription: string; price: Stripe.Price; quantity: number },
): Stripe.SubscriptionItem {
  return {
    id: createId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created: context.now,
    current_period_end: periodEnd(context.now, context.now),
    current_period_start: context.now,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: toPlan(about.price),
    price: about.price,
    quantity: about.quantity,
    subscription: about.subscription,
    tax_rates: [],
  }
}

export function getItem(subscription: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = subscription.items.data
  if (!item) throw new Error(`Subscription ${subscription.id} has no item.`)
  return item
}

export function withItem(
  subscription: Stripe.Subscription,
  change: Partial<Stripe.SubscriptionItem>,
): Stripe.Subscription {
  const item = { ...getItem(subscription), ...change }
  return { ...subscription, items: { ...subscription.items, data: [item] } }
}

export const isLive = (subscription: Stripe.Subscription) =>
  subscription.status === 'active' || subscription.status === 'past_due' || subscription.status === 'trialing'

export function getStopTime(subscription: Stripe.Subscription): number | null {
  if (subscription.cancel_at !== null) return subscription.cancel_at
  return subscription.cancel_at_period_end ? getItem(subscription).current_period_end : null
}

export function makeSchedule(
  context: SandboxContext,
  about: { subscription: Stripe.Subscription; price: Stripe.Price },
): Stripe.SubscriptionSchedule {
  const { subscription, price } = about
  const item = getItem(subscription)
  const { current_period_start: start, current_period_end: end } = item
  return {
    id: createId('sub_sched'),
    object: 'subscription_schedule',
    application: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    canceled_at: null,
    completed_at: null,
    created: context.now,
    current_phase: { start_date: start, end_date: end },
    customer: subscription.customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: 'automatic',
      billing_thresholds: null,
      collection_method: 'charge_automatically',
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: itself,
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      makePhase({ price: item.price, start, end }),
      makePhase({ price, start: end, end: periodEnd(subscription.billing_cycle_anchor, end) }),
    ],
    released_at: null,
    released_subscription: null,
    status: 'active',
    subscription: subscription.id,
    test_clock: context.testClock,
  }
}

function makePhase({
  price,
  start,
  end,
}: {
  price: Stripe.Price
  start: number
  end: number
}): Stripe.SubscriptionSchedule.Phase {
  return {
    add_invoice_items: [],
    application_fee_percent: null,
    billing_cycle_anchor: null,
    billing_thresholds: null,
    collection_method: null,
    currency: price.currency,
    default_payment_method: null,
    description: null,
    discounts: [],
    end_date: end,
    invoice_settings: null,
    items: [
      {
        billing_thresholds: null,
        discounts: [],
        metadata: {},
        plan: price.id,
        price: price.id,
        quantity: 1,
        tax_rates: [],
      },
    ],
    metadata: {},
    on_behalf_of: null,
    proration_behavior: 'none',
    start_date: start,
    transfer_data: null,
    trial_end: null,
  }
}
