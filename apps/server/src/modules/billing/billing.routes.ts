import * as calls from '@trellis/contract/billing/billing.endpoints'
import { handle } from '../../http/handle.ts'
import { listAccountLimits } from '../utilization/utilization.service.ts'
import { getPaymentDetails, getPlanDetails, getPlanEnd, listInvoices } from './billing.service.ts'
import { getUsage } from './plan-usage.service.ts'
import * as links from './links.ts'

export const billingRoutes = [
  handle(calls.getNewAccountPlans, ({ params }, ctx) => links.getNewAccountPlans(ctx, params.temporary_account_id)),
  handle(calls.getRenewalPlans, (_, ctx) => links.getRenewalPlans(ctx)),
  handle(calls.listInvoices, ({ query }, ctx) => listInvoices(ctx, query.limit)),
  handle(calls.getPaymentDetails, (_, ctx) => getPaymentDetails(ctx)),
  handle(calls.getPaymentUpdateLink, ({ query }, ctx) => links.getPaymentUpdateLink(ctx, query)),
  handle(calls.getPlanDetails, (_, ctx) => getPlanDetails(ctx)),
  handle(calls.getPortalLink, ({ query }, ctx) => links.getPortalLink(ctx, query)),
  handle(calls.getRenewalLink, ({ query }, ctx) => links.getRenewalLink(ctx, query)),
  handle(calls.getPlanChangeLink, ({ query }, ctx) => links.getPlanChangeLink(ctx, query)),
  handle(calls.getCreditsLink, ({ query }, ctx) => links.getCreditsLink(ctx, query)),
  handle(calls.getUsage, (_, ctx) => getUsage(ctx)),
  handle(calls.listAccountLimits, (_, ctx) => listAccountLimits(ctx)),
  handle(calls.getPlanEnd, (_, ctx) => getPlanEnd(ctx)),
]
