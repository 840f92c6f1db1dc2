import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'
import { toDecimal } from '../stripe-objects.ts'

export function makeProduct(
  context: SandboxContext,
  about: { name: string; metadata: Record<string, string> },
): Stripe.Product {
  return {
    id: createId('prod'),
    object: 'product',
    active: true,
    created: context.now,
    default_price: null,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: about.metadata,
    name: about.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: context.now,
    url: null,
  }
}

export interface PriceInput {
  product: string
  amount: number
  currency: string
  isMonthly: boolean
  lookupKey: string | null
  nickname: string | null
  metadata: Record<string, string>
}

export function makePrice(context: SandboxContext, about: PriceInput): Stripe.Price {
  return {
    id: createId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: context.now,
    currency: about.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: about.lookupKey,
    metadata: about.metadata,
    nickname: about.nickname,
    product: about.product,
    recurring: about.isMonthly
      ? { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: about.isMonthly ? 'recurring' : 'one_time',
    unit_amount: about.amount,
    unit_amount_decimal: toDecimal(about.amount),
  }
}

/** The predecessor of prices, still part of subscription items. */
export function toPlan(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: toDecimal(price.unit_amount ?? 0),
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: 'month',
    interval_count: 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}
