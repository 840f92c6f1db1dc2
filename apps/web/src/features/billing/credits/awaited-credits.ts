import type { Usage } from '@trellis/contract/billing/billing.schemas'

const KEY = 'trellis.awaited-credits'

const markOf = (accountCode: string, usage: Pick<Usage, 'trellis_purchased_ai_tokens_available'>) =>
  `${accountCode}:${usage.trellis_purchased_ai_tokens_available}`

/** The checkout leads back a moment before the provider has told of the payment; what was there before is kept. */
export function awaitCredits(accountCode: string, before: Usage | undefined): void {
  if (before) sessionStorage.setItem(KEY, markOf(accountCode, before))
}

export function isAwaitingCredits(accountCode: string, now: Usage): boolean {
  const mark = sessionStorage.getItem(KEY)
  if (mark === null || !mark.startsWith(`${accountCode}:`)) return false
  if (mark === markOf(accountCode, now)) return true
  sessionStorage.removeItem(KEY)
  return false
}
