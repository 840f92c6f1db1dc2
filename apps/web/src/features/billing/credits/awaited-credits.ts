import type { Usage } from '@trellis/contract/billing/billing.schemas'

const KEY = 'trellis.awaited-credits'

type PurchasedCredits = Pick<Usage, 'trellis_purchased_ai_tokens_available'>

/** The redirect may arrive before the provider's webhook: remember the balance from before. */
export function awaitCredits(accountCode: string, before: PurchasedCredits | undefined): void {
  if (before) sessionStorage.setItem(KEY, `${accountCode}:${before.trellis_purchased_ai_tokens_available}`)
}

function countBefore(accountCode: string): number | undefined {
  const mark = sessionStorage.getItem(KEY)
  const [code, count] = mark?.split(':') ?? []
  return code === accountCode ? Number(count) : undefined
}

export function isAwaitingCredits(accountCode: string, now: PurchasedCredits): boolean {
  return countBefore(accountCode) === now.trellis_purchased_ai_tokens_available
}

/** Returned once. */
export function consumeArrivedCredits(accountCode: string, now: PurchasedCredits): number {
  const before = countBefore(accountCode)
  if (before === undefined || before === now.trellis_purchased_ai_tokens_available) return 0
  sessionStorage.removeItem(KEY)
  return Math.max(0, now.trellis_purchased_ai_tokens_available - before)
}
