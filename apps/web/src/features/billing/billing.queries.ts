import { createAccount, getAccount, listAccounts } from '@trellis/contract/accounts/accounts.endpoints'
import type { Account, AccountCreate } from '@trellis/contract/accounts/accounts.schemas'
import {
  getCreditsLink,
  getNewAccountPlans,
  getPaymentDetails,
  getPaymentUpdateLink,
  getPlanChangeLink,
  getPlanDetails,
  getPortalLink,
  getRenewalLink,
  getRenewalPlans,
  getUsage,
  listAccountLimits,
  listInvoices,
} from '@trellis/contract/billing/billing.endpoints'
import type { PlanDetails } from '@trellis/contract/billing/billing.schemas'
import type { PlanName } from '@trellis/contract/billing/plans'
import { ERRORS } from '@trellis/contract/core/errors'
import { useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type * as z from 'zod/mini'
import { ApiError } from '../../api/api-error.ts'
import { apiQuery, withDetail } from '../../api/api-query.ts'
import { call } from '../../api/call.ts'
import type { PlanSelectState } from '../../app/plan-select-state.ts'
import { showToast } from '../../ui/feedback/toasts.ts'
import { isWorthRepeating, MAX_RETRIES, waitBefore } from './activation/activation.ts'
import { awaitCredits, isAwaitingCredits } from './credits/awaited-credits.ts'
import { usageLines } from './credits/usage-lines.ts'
import { planNews } from './plan-news.ts'
import { fillTab, onReturn, openTab } from './provider-tab.ts'

const INVOICES_SHOWN = 5
const ASK_AGAIN_MS = 2000
const SOMETHING_WRONG = 'Something went wrong. Please try again.'

const toAccountParams = (accountCode: string) => ({ params: { account_trellis_code: accountCode } })

export function usePlanDetails(accountCode: string) {
  return useQuery(apiQuery(getPlanDetails, toAccountParams(accountCode)))
}

export function useUsage(accountCode: string, isEnabled = true) {
  return useQuery({ ...apiQuery(getUsage, toAccountParams(accountCode)), enabled: isEnabled })
}

export function useUsageLines(accountCode: string) {
  return useQuery({
    ...apiQuery(getUsage, toAccountParams(accountCode)),
    select: (usage) => usageLines(usage, new Date()),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data !== undefined && dataUpdateCount <= MAX_RETRIES && isAwaitingCredits(accountCode, data) && ASK_AGAIN_MS,
  })
}

export function usePaymentDetails(accountCode: string) {
  return useQuery(apiQuery(getPaymentDetails, toAccountParams(accountCode)))
}

export function useInvoices(accountCode: string) {
  return useQuery(apiQuery(listInvoices, { ...toAccountParams(accountCode), query: { limit: INVOICES_SHOWN } }))
}

/** A checkout expires within a day: never cached. */
export function usePlanLinks(state: PlanSelectState) {
  const fresh = { staleTime: 0, gcTime: 0 }
  const isNew = 'temporaryAccount' in state
  const id = isNew ? state.temporaryAccount.id : 0
  const ofNew = useQuery({
    ...apiQuery(getNewAccountPlans, { params: { temporary_account_id: id } }),
    ...fresh,
    enabled: isNew,
  })
  const ofOld = useQuery({
    ...apiQuery(getRenewalPlans, toAccountParams(isNew ? '' : state.account.trellis_code)),
    ...fresh,
    enabled: !isNew,
  })
  return isNew ? ofNew : ofOld
}

/** One request per page load; repeated only until the payment is confirmed. */
const onceConfirmed = { staleTime: Infinity, gcTime: Infinity, retry: isWorthRepeating, retryDelay: waitBefore }

async function refreshAccounts(client: QueryClient): Promise<void> {
  // A request from before the payment would overwrite the new list.
  await client.cancelQueries({ queryKey: [listAccounts.id] })
  await Promise.all([listAccounts, listAccountLimits].map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
}

export function useCreatedAccount(body: z.infer<typeof AccountCreate>) {
  const client = useQueryClient()
  return useQuery<Account>({
    queryKey: [createAccount.id, body],
    queryFn: async () => {
      const account = await call(createAccount, { body })
      await refreshAccounts(client)
      return account
    },
    ...onceConfirmed,
  })
}

export function useAwaitedPlan(accountCode: string) {
  const client = useQueryClient()
  return useQuery<z.infer<typeof PlanDetails>>({
    queryKey: ['awaited-plan', accountCode],
    queryFn: async () => {
      const plan = await call(getPlanDetails, toAccountParams(accountCode))
      if (plan.status === 'over') throw notPaidYetError()
      await refreshAccounts(client)
      return plan
    },
    ...onceConfirmed,
    gcTime: 0,
  })
}

function notPaidYetError(): ApiError {
  const detail = 'The payment provider has not confirmed a paid plan for this account yet.'
  return new ApiError({ status: 402, code: 'plan_not_paid', title: ERRORS.plan_not_paid.title, detail })
}

/** These links sign the person in: created per click, never stored. */
export type ProviderPage =
  | { kind: 'cancel' | 'renew' | 'payment' }
  | { kind: 'change'; plan: Exclude<PlanName, 'enterprise'> }

async function readProviderUrl(accountCode: string, page: ProviderPage): Promise<string> {
  const { params } = toAccountParams(accountCode)
  const query = { return_url: location.href }
  if (page.kind === 'change')
    return (await call(getPlanChangeLink, { params, query: { ...query, plan: page.plan } })).url
  const endpoint = { cancel: getPortalLink, renew: getRenewalLink, payment: getPaymentUpdateLink }[page.kind]
  return (await call(endpoint, { params, query })).url
}

/** Refetches when the person returns from the provider's tab. */
export function usePaymentProvider(accountCode: string) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ page, tab }: { page: ProviderPage; tab: Window | null }) => {
      try {
        fillTab(tab, await readProviderUrl(accountCode, page))
        return tab
      } catch (error) {
        tab?.close()
        throw error
      }
    },
    onSuccess: (tab) => {
      const before = client.getQueryData(apiQuery(getPlanDetails, toAccountParams(accountCode)).queryKey)
      onReturn(tab, () => void refetchUntilPlanChanges(client, { accountCode, before }))
    },
    meta: { texts: { errorText: withDetail(SOMETHING_WRONG) } },
  })
  return { isOpening: isPending, open: (page: ProviderPage) => mutate({ page, tab: openTab() }) }
}

async function refreshBilling(client: QueryClient): Promise<void> {
  const queries = [
    getPlanDetails,
    getPaymentDetails,
    listInvoices,
    getUsage,
    getAccount,
    listAccounts,
    listAccountLimits,
  ]
  await Promise.all(queries.map(({ id }) => client.invalidateQueries({ queryKey: [id] })))
}

interface PendingCheckout {
  accountCode: string
  before: z.infer<typeof PlanDetails> | undefined
}

/** People return before the provider's webhook arrives: refetch until the plan changes. */
async function refetchUntilPlanChanges(client: QueryClient, checkout: PendingCheckout): Promise<void> {
  const { queryKey } = apiQuery(getPlanDetails, toAccountParams(checkout.accountCode))
  // Structural sharing keeps the reference of an equal response.
  const hasPlanChanged = () => client.getQueryData(queryKey) !== checkout.before
  await refreshBilling(client)
  for (let repeat = 0; repeat < MAX_RETRIES && !hasPlanChanged(); repeat += 1) {
    await new Promise((resolve) => setTimeout(resolve, waitBefore(repeat)))
    await client.invalidateQueries({ queryKey })
    if (hasPlanChanged()) await refreshBilling(client)
  }
  const after = client.getQueryData<z.infer<typeof PlanDetails>>(queryKey)
  const news = checkout.before && after && planNews(checkout.before, after)
  if (news) showToast({ tone: 'success', text: news })
  if (!hasPlanChanged()) onReturn(null, () => void refetchUntilPlanChanges(client, checkout))
}

export function useBuyCredits(accountCode: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (quantity: number) =>
      call(getCreditsLink, { ...toAccountParams(accountCode), query: { quantity, redirect_url: location.href } }),
    onSuccess: async (url) => {
      awaitCredits(accountCode, client.getQueryData(apiQuery(getUsage, toAccountParams(accountCode)).queryKey))
      await refreshBilling(client)
      location.assign(url)
    },
  })
}
