import type Stripe from 'stripe'
import type { BaseCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { type SoldPlan, openCatalogue } from '../../platform/payments/catalogue.ts'

const HOUR = 3600

interface PlanCheckout {
  customer: string
  plan: SoldPlan
  reference: string
  successUrl: string
  cancelUrl: string
}

export async function openPlanCheckout(ctx: BaseCtx, about: PlanCheckout): Promise<string> {
  return await callProvider(ctx, async (stripe) => {
    const { prices } = await openCatalogue(stripe)
    const { data } = await stripe.checkout.sessions.list({ customer: about.customer, status: 'open', limit: 100 })
    const known = data.find((session) => isSame(session, about) && session.expires_at > session.created + HOUR / 2)
    if (known?.url) return known.url
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: about.customer,
      client_reference_id: about.reference,
      line_items: [{ price: prices[about.plan], quantity: 1 }],
      metadata: { plan: about.plan, reference: about.reference },
      subscription_data: { metadata: { reference: about.reference } },
      success_url: about.successUrl,
      cancel_url: about.cancelUrl,
    })
    return session.url ?? ''
  })
}

function isSame(session: Stripe.Checkout.Session, about: PlanCheckout): boolean {
  const isForSame = session.client_reference_id === about.reference && session.metadata?.['plan'] === about.plan
  return session.mode === 'subscription' && isForSame && session.success_url === about.successUrl
}

export async function openCreditsCheckout(
  ctx: BaseCtx,
  about: { customer: string; reference: string; packs: number; returnUrl: string },
): Promise<string> {
  return await callProvider(ctx, async (stripe) => {
    const { prices } = await openCatalogue(stripe)
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: about.customer,
      client_reference_id: about.reference,
      line_items: [{ price: prices.credits, quantity: about.packs }],
      metadata: { reference: about.reference },
      invoice_creation: { enabled: true },
      success_url: about.returnUrl,
      cancel_url: about.returnUrl,
    })
    return session.url ?? ''
  })
}

type Flow = Stripe.BillingPortal.SessionCreateParams.FlowData

/** A portal link gives access to billing: created per click, never stored or logged. */
export async function openPortal(
  ctx: BaseCtx,
  about: { customer: string; returnUrl: string; flow?: Flow },
): Promise<string> {
  return await callProvider(ctx, async (stripe) => {
    const { portal } = await openCatalogue(stripe)
    const session = await stripe.billingPortal.sessions.create({
      customer: about.customer,
      configuration: portal,
      return_url: about.returnUrl,
      ...(about.flow
        ? {
            flow_data: {
              ...about.flow,
              after_completion: { type: 'redirect', redirect: { return_url: about.returnUrl } },
            },
          }
        : {}),
    })
    return session.url
  })
}
