import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'

export interface ConfigurationInput {
  headline: string | null
  returnUrl: string | null
  metadata: Record<string, string>
  canUpdateCard: boolean
  canSeeInvoices: boolean
  canCancel: boolean
  products: { product: string; prices: string[] }[]
  isLowerAtPeriodEnd: boolean
}

export function makeConfiguration(
  context: SandboxContext,
  about: ConfigurationInput,
): Stripe.BillingPortal.Configuration {
  const canChange = about.products.length > 0
  return {
    id: createId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: { headline: about.headline, privacy_policy_url: null, terms_of_service_url: null },
    created: context.now,
    default_return_url: about.returnUrl,
    features: {
      customer_update: { allowed_updates: [], enabled: false },
      invoice_history: { enabled: about.canSeeInvoices },
      payment_method_update: { enabled: about.canUpdateCard, payment_method_configuration: null },
      subscription_cancel: {
        cancellation_reason: { enabled: false, feedback_options: null, options: [] },
        enabled: about.canCancel,
        mode: 'at_period_end',
        proration_behavior: 'none',
      },
      subscription_pause: { duration: { interval_options: [], type: 'indefinite' }, enabled: false },
      subscription_update: {
        billing_cycle_anchor: null,
        default_allowed_updates: canChange ? ['price'] : [],
        enabled: canChange,
        products: about.products.map((product) => ({
          ...product,
          adjustable_quantity: { enabled: false, maximum: null, minimum: 1 },
        })),
        proration_behavior: 'always_invoice',
        schedule_at_period_end: { conditions: about.isLowerAtPeriodEnd ? [{ type: 'decreasing_item_amount' }] : [] },
        trial_update_behavior: 'end_trial',
      },
    },
    is_default: false,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: about.metadata,
    name: null,
    updated: context.now,
  }
}

export interface PortalInput {
  configuration: string
  customer: string
  returnUrl: string | null
  flow: Stripe.BillingPortal.Session.Flow | null
}

export function makePortalSession(context: SandboxContext, about: PortalInput): Stripe.BillingPortal.Session {
  const id = createId('bps')
  return {
    id,
    object: 'billing_portal.session',
    configuration: about.configuration,
    created: context.now,
    customer: about.customer,
    customer_account: null,
    flow: about.flow,
    livemode: false,
    locale: null,
    on_behalf_of: null,
    return_url: about.returnUrl,
    url: `${context.pagesUrl}/p/${id}`,
  }
}

export function makeTestClock(
  context: SandboxContext,
  about: { frozenTime: number; name: string | null },
): Stripe.TestHelpers.TestClock {
  return {
    id: createId('clock'),
    object: 'test_helpers.test_clock',
    created: context.now,
    deletes_after: context.now + 30 * 86_400,
    frozen_time: about.frozenTime,
    livemode: false,
    name: about.name,
    status: 'ready',
    status_details: {},
  }
}

export function makeEndpoint(
  context: SandboxContext,
  about: { url: string; events: string[]; secret: string },
): Stripe.WebhookEndpoint {
  return {
    id: createId('we'),
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: context.now,
    description: null,
    enabled_events: about.events,
    livemode: false,
    metadata: {},
    secret: about.secret,
    status: 'enabled',
    url: about.url,
  }
}
