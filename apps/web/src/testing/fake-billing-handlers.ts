import type { Account, AccountCreate } from '@trellis/contract/accounts/accounts.schemas'
import type * as z from 'zod/mini'
import { FakeError } from './fake-error.ts'
import type { Handler } from './fake-handler.ts'

const buildLinks = (who: string) => ({
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
  getNewAccountPlans: (_world, { params }) => buildLinks(params['temporary_account_id'] ?? ''),
  getRenewalPlans: ({ company: { usage } }, { params }) => {
    const links = buildLinks(params['account_trellis_code'] ?? '')
    const fits = usage.workspaces <= 1 && usage.users <= 5
    return fits ? links : { plans: { ...links.plans, basic: null } }
  },
  getPlanDetails: ({ billing }) => {
    if (billing.later && billing.later.answers-- <= 0) billing.plan = billing.later.plan
    return billing.plan
  },
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
  getWorkspaceUtilization: ({ billing }) => billing.utilization,
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
      stripe_plan_renewal_date: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      stripe_plan_cancelled_at: null,
      workspaces: [],
    }
    if (!world.accounts.some((account) => account.id === made.id)) world.accounts.push(made)
    return made
  },
}
