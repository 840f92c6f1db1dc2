import { CREDITS_STEP, DOLLARS_PER_CREDIT, PLANS } from '@trellis/contract/billing/plans'
import type Stripe from 'stripe'

export type SoldPlan = 'basic' | 'team'

/** Prices are found by lookup key, so that the code works with any Stripe account. */
export const LOOKUP_KEYS = {
  basic: 'trellis_basic_monthly',
  team: 'trellis_team_monthly',
  credits: 'trellis_credits_100',
} as const

type PriceName = keyof typeof LOOKUP_KEYS

const SOLD: Record<PriceName, { name: string; cents: number; isMonthly: boolean }> = {
  basic: { name: 'Trellis Basic', cents: PLANS.basic.dollarsPerMonth * 100, isMonthly: true },
  team: { name: 'Trellis Team', cents: PLANS.team.dollarsPerMonth * 100, isMonthly: true },
  credits: {
    name: `${CREDITS_STEP} Trellis credits`,
    cents: Math.round(CREDITS_STEP * DOLLARS_PER_CREDIT * 100),
    isMonthly: false,
  },
}

export interface Catalogue {
  prices: Record<PriceName, string>
  /** Our own configuration, since the default one can be changed by hand. */
  portal: string
}

const known = new WeakMap<Stripe, Promise<Catalogue>>()

export async function openCatalogue(stripe: Stripe): Promise<Catalogue> {
  const opened = known.get(stripe) ?? readCatalogue(stripe)
  known.set(stripe, opened)
  opened.catch(() => known.delete(stripe))
  return await opened
}

async function readCatalogue(stripe: Stripe): Promise<Catalogue> {
  const names = Object.keys(SOLD) as PriceName[]
  const { data } = await stripe.prices.list({ lookup_keys: Object.values(LOOKUP_KEYS), active: true, limit: 100 })
  const prices: Stripe.Price[] = []
  for (const name of names) {
    prices.push(data.find((price) => price.lookup_key === LOOKUP_KEYS[name]) ?? (await createPrice(stripe, name)))
  }
  const getPriceId = (name: PriceName) => prices[names.indexOf(name)]?.id ?? ''
  const sold = prices.filter((price) => price.recurring !== null)
  return {
    prices: { basic: getPriceId('basic'), team: getPriceId('team'), credits: getPriceId('credits') },
    portal: await openPortal(stripe, sold),
  }
}

/** Of two concurrent creations, the lookup key goes to the first. */
async function createPrice(stripe: Stripe, name: PriceName): Promise<Stripe.Price> {
  const { name: title, cents, isMonthly } = SOLD[name]
  try {
    return await stripe.prices.create({
      lookup_key: LOOKUP_KEYS[name],
      currency: 'usd',
      unit_amount: cents,
      nickname: title,
      product_data: { name: title, metadata: { trellis: name } },
      ...(isMonthly ? { recurring: { interval: 'month' as const } } : {}),
    })
  } catch (error) {
    const { data } = await stripe.prices.list({ lookup_keys: [LOOKUP_KEYS[name]], active: true, limit: 1 })
    if (data[0]) return data[0]
    throw error
  }
}

const PORTAL_VERSION = '1'

async function openPortal(stripe: Stripe, prices: Stripe.Price[]): Promise<string> {
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const wanted = prices.map((price) => price.id).toSorted()
  const isOurs = (item: Stripe.BillingPortal.Configuration) =>
    item.metadata?.['trellis'] === PORTAL_VERSION && item.metadata['prices'] === wanted.join(' ')
  const ours = data.find((candidate) => isOurs(candidate))
  if (ours) return ours.id
  const made = await stripe.billingPortal.configurations.create({
    business_profile: { headline: 'Trellis: plan and payment' },
    metadata: { trellis: PORTAL_VERSION, prices: wanted.join(' ') },
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        proration_behavior: 'always_invoice',
        // Upgrades apply at once, downgrades at the end of the period.
        schedule_at_period_end: { conditions: [{ type: 'decreasing_item_amount' }] },
        products: prices.map((price) => ({ product: getProductId(price), prices: [price.id] })),
      },
    },
  })
  return made.id
}

function getProductId({ product }: Stripe.Price): string {
  return typeof product === 'string' ? product : product.id
}

export function findPlanByPrice(price: { lookup_key: string | null } | undefined): SoldPlan | undefined {
  if (price?.lookup_key === LOOKUP_KEYS.basic) return 'basic'
  return price?.lookup_key === LOOKUP_KEYS.team ? 'team' : undefined
}
