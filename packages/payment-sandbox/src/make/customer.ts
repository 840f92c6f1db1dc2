import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'

export interface CustomerInput {
  email: string | null
  name: string | null
  testClock: string | null
  metadata: Record<string, string>
}

export function makeCustomer(context: SandboxContext, about: CustomerInput): Stripe.Customer {
  return {
    id: createId('cus'),
    object: 'customer',
    address: null,
    balance: 0,
    created: context.now,
    currency: 'usd',
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: null,
    discount: null,
    email: about.email,
    invoice_prefix: createId('').slice(1, 9).toUpperCase(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: about.metadata,
    name: about.name,
    next_invoice_sequence: 1,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: about.testClock,
  }
}

export type CardName = 'success' | 'mastercard' | 'expires' | 'declined'

interface TestCard {
  label: string
  hint: string
  brand: string
  last4: string
}

export const TEST_CARDS: Record<CardName, TestCard> = {
  success: { label: 'Visa •••• 4242', hint: 'Every payment succeeds', brand: 'visa', last4: '4242' },
  mastercard: { label: 'Mastercard •••• 4444', hint: 'Every payment succeeds', brand: 'mastercard', last4: '4444' },
  expires: {
    label: 'Visa •••• 0341',
    hint: 'Pays once; every later payment needs a new card',
    brand: 'visa',
    last4: '0341',
  },
  declined: { label: 'Visa •••• 0002', hint: 'Is declined', brand: 'visa', last4: '0002' },
}

export function isCardName(name: string | undefined): name is CardName {
  return name !== undefined && Object.hasOwn(TEST_CARDS, name)
}

export function makeCard(context: SandboxContext, customer: Stripe.Customer, name: CardName): Stripe.PaymentMethod {
  const { brand, last4 } = TEST_CARDS[name]
  return {
    id: createId('pm'),
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email: customer.email, name: customer.name ?? null, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(context.now * 1000).getUTCFullYear() + 4,
      fingerprint: `sandbox${last4}`,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: context.now,
    customer: customer.id,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}
