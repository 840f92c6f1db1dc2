import * as z from 'zod/mini'
import { TemporaryAccountParams } from '../accounts/accounts.schemas.ts'
import { defineEndpoint } from '../core/endpoint.ts'
import { AccountParams, WorkspaceParams } from '../core/shapes.ts'
import {
  AccountLimits,
  CreditsQuery,
  Invoice,
  InvoicesQuery,
  Link,
  PaymentDetails,
  PlanDetails,
  PlanEnd,
  PlanLinkQuery,
  PlanLinks,
  ReturnQuery,
  Usage,
} from './billing.schemas.ts'

const feature = 'billing'
const params = AccountParams
const errors = ['payments_unavailable'] as const
const method = 'GET'

export const getNewAccountPlans = defineEndpoint({
  id: 'getNewAccountPlans',
  feature,
  permission: 'profile:self',
  method,
  path: '/account/new-account-stripe-information/:temporary_account_id',
  summary: 'Where to pay for a new account, one address a plan',
  params: TemporaryAccountParams,
  response: PlanLinks,
  errors: ['not_found', ...errors],
})
export const getRenewalPlans = defineEndpoint({
  id: 'getRenewalPlans',
  feature,
  permission: 'billing:write',
  method,
  path: '/account/:account_trellis_code/plans',
  summary: 'Where to pay to bring an account whose plan is over back to life, one address a plan',
  params,
  response: PlanLinks,
  errors,
})
export const listInvoices = defineEndpoint({
  id: 'listInvoices',
  feature,
  permission: 'billing:read',
  method,
  path: '/account/:account_trellis_code/invoices',
  summary: 'Latest invoices',
  params,
  query: InvoicesQuery,
  response: z.array(Invoice),
  errors,
})
export const getPaymentDetails = defineEndpoint({
  id: 'getPaymentDetails',
  feature,
  permission: 'billing:read',
  method,
  path: '/account/:account_trellis_code/payment-details',
  summary: 'How this account pays',
  params,
  response: PaymentDetails,
  errors,
})
export const getPaymentUpdateLink = defineEndpoint({
  id: 'getPaymentUpdateLink',
  feature,
  permission: 'billing:write',
  method,
  path: '/account/:account_trellis_code/payment-update-link',
  summary: "The provider's page to change how this account pays",
  params,
  query: ReturnQuery,
  response: Link,
  errors,
})
export const getPlanDetails = defineEndpoint({
  id: 'getPlanDetails',
  feature,
  permission: 'account:read',
  method,
  path: '/account/:account_trellis_code/plan-details',
  summary: 'The plan and where it stands',
  params,
  response: PlanDetails,
})
export const getPortalLink = defineEndpoint({
  id: 'getPortalLink',
  feature,
  permission: 'billing:write',
  method,
  path: '/account/:account_trellis_code/portal-link',
  summary: "The provider's page to cancel the plan",
  params,
  query: ReturnQuery,
  response: Link,
  errors,
})
export const getRenewalLink = defineEndpoint({
  id: 'getRenewalLink',
  feature,
  permission: 'billing:write',
  method,
  path: '/account/:account_trellis_code/renewal-link',
  summary: "The provider's page to take a cancellation back",
  params,
  query: ReturnQuery,
  response: Link,
  errors: ['plan_too_small', ...errors],
})
export const getPlanChangeLink = defineEndpoint({
  id: 'getPlanChangeLink',
  feature,
  permission: 'billing:write',
  method,
  path: '/account/:account_trellis_code/plan-change-link',
  summary: 'The page to change to another plan; refused while use exceeds its limits',
  params,
  query: PlanLinkQuery,
  response: Link,
  errors: ['plan_too_small', ...errors],
})
export const getCreditsLink = defineEndpoint({
  id: 'getCreditsLink',
  feature,
  permission: 'billing:write',
  method,
  path: '/account/:account_trellis_code/stripe-ai-tokens-url',
  summary: 'The checkout for add-on credits, sold in hundreds',
  params,
  query: CreditsQuery,
  response: z.string(),
  errors: ['plan_expired', ...errors],
  worksWhenPlanIsOver: false,
})
export const getUsage = defineEndpoint({
  id: 'getUsage',
  feature,
  permission: 'usage:read',
  method,
  path: '/account/:account_trellis_code/usage',
  summary: 'Seats, workspaces, storage and credits in use',
  params,
  response: Usage,
})
export const listAccountLimits = defineEndpoint({
  id: 'listAccountLimits',
  feature,
  permission: 'profile:self',
  method,
  path: '/account/accounts-usage',
  summary: 'Workspaces in use and allowed, for each of my accounts',
  response: z.array(AccountLimits),
})
export const getPlanEnd = defineEndpoint({
  id: 'getPlanEnd',
  feature,
  permission: 'workspace:read',
  method,
  path: '/:account_trellis_code/:workspace_address/plan-end',
  summary: "When the plan of this workspace's account ends",
  params: WorkspaceParams,
  response: PlanEnd,
})

export const billingEndpoints = [
  getNewAccountPlans,
  getRenewalPlans,
  listInvoices,
  getPaymentDetails,
  getPaymentUpdateLink,
  getPlanDetails,
  getPortalLink,
  getRenewalLink,
  getPlanChangeLink,
  getCreditsLink,
  getUsage,
  listAccountLimits,
  getPlanEnd,
]
