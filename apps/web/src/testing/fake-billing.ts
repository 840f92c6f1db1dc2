import type { Account, AccountCreate } from '@trellis/contract/accounts/accounts.schemas'
import type { Invoice, PlanDetails } from '@trellis/contract/billing/billing.schemas'
import type { UsageDay } from '@trellis/contract/utilization/utilization.endpoints'
import type * as z from 'zod/mini'
import { FakeError } from './fake-error.ts'
import type { Handler } from './fake-handlers.ts'

/** What the payment provider and the meters would say of every account in the world. */
export interface FakeBilling {
  plan: z.infer<typeof PlanDetails>
  card: { brand: string; last4: string; exp_month: number; exp_year: number } | null
  invoices: Invoice[]
  usageDays: UsageDay[]
  /** How often the provider still answers that nothing was paid. */
  unpaidAnswers: number
  /** Addresses that were asked for, in order. */
  opened: string[]
}

const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()

export function createBilling(change: Partial<FakeBilling> = {}): FakeBilling {
  return {
    plan: {
      account_type: 'team',
      is_plan_managed: true,
      status: 'active',
      stripe_plan_end_date: null,
      stripe_plan_renewal_date: days(17.5),
      stripe_plan_cancelled_at: null,
      next_plan: null,
      days_left: 18,
    },
    card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 },
    invoices: [
      { id: 'in_5', status: 'open', created: days(-1), invoice_amount: 25, invoice_url: '/sandbox-pay/invoice/in_5' },
      {
        id: 'in_4',
        status: 'paid',
        created: days(-13),
        invoice_amount: 3000,
        invoice_url: '/sandbox-pay/invoice/in_4',
      },
      { id: 'in_3', status: 'void', created: days(-40), invoice_amount: 7.5, invoice_url: '/sandbox-pay/invoice/in_3' },
      { id: 'in_2', status: 'uncollectible', created: days(-44), invoice_amount: 3000, invoice_url: null },
      { id: 'in_1', status: 'draft', created: days(-75), invoice_amount: 950, invoice_url: null },
    ],
    usageDays: usageDays(90),
    unpaidAnswers: 0,
    opened: [],
    ...change,
  }
}

/** A quiet start, weekends, and a slow growth. */
function usageDays(length: number): UsageDay[] {
  return Array.from({ length }, (_, at) => {
    const date = new Date(Date.now() - (length - 1 - at) * 86_400_000)
    const isWeekend = date.getUTCDay() % 6 === 0
    return {
      day: date.toISOString().slice(0, 10),
      users: 3 + Math.floor(at / 30),
      workspaces: 1 + Math.floor(at / 40),
      storage_bytes: Math.round((1 + at * 0.022) * 1_073_741_824),
      credits_spent: isWeekend ? at % 5 : 20 + ((at * 37) % 45),
    }
  })
}

const linksOf = (who: string) => ({
  plans: {
    basic: `/sandbox-pay/checkout/${who}-basic`,
    team: `/sandbox-pay/checkout/${who}-team`,
    enterprise: 'mailto:sales@example.com',
  },
})

const portal =
  (what: string): Handler =>
  (world, { query }) => {
    const url = `/sandbox-pay/portal/${what}${query['plan'] ? `-${query['plan']}` : ''}`
    world.billing.opened.push(url)
    return { url }
  }

export const billingHandlers: Record<string, Handler> = {
  getNewAccountPlans: (_world, { params }) => linksOf(params['temporary_account_id'] ?? ''),
  getRenewalPlans: (_world, { params }) => linksOf(params['account_trellis_code'] ?? ''),
  getPlanDetails: ({ billing }) => billing.plan,
  getPaymentDetails: ({ billing }) => ({
    is_plan_managed: billing.plan.is_plan_managed,
    card: billing.card,
    billing_email: 'accounts@example.com',
  }),
  listInvoices: ({ billing }, { query }) => billing.invoices.slice(0, Number(query['limit'])),
  getPaymentUpdateLink: portal('payment'),
  getPortalLink: portal('cancel'),
  getRenewalLink: portal('renew'),
  getPlanChangeLink: portal('change'),
  getCreditsLink: ({ billing }, { query }) => {
    const url = `/sandbox-pay/credits/${query['quantity']}?back=${query['redirect_url']}`
    billing.opened.push(url)
    return url
  },
  listUsageDays: ({ billing }, { query }) => billing.usageDays.slice(-Number(query['days'])),
  createAccount: (world, { body }) => {
    const { temporary_account_id, account_type } = body as z.infer<typeof AccountCreate>
    if (world.billing.unpaidAnswers > 0) {
      world.billing.unpaidAnswers -= 1
      throw new FakeError('plan_not_paid', { detail: 'The payment provider has no paid plan for this account yet.' })
    }
    const made: Account = {
      id: temporary_account_id,
      trellis_code: `made${temporary_account_id}`,
      name: 'Made just now',
      account_type,
      role: 'owner',
      stripe_plan_end_date: null,
      stripe_plan_renewal_date: days(30),
      stripe_plan_cancelled_at: null,
      workspaces: [],
    }
    if (!world.accounts.some((one) => one.id === made.id)) world.accounts.push(made)
    return made
  },
}
