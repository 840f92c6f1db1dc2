import type { AnyDb } from '@trellis/control-db/database'
import type Stripe from 'stripe'
import type { BaseCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { writeAudit } from '../audit/audit.service.ts'
import type { BillingAccount } from './billing.repository.ts'
import { isLive, findPlan } from './plan-state.ts'

/**
 * Two checkouts paid at once leave two subscriptions. Ends all but the one that counts, and refunds the unused time.
 */
export async function endDuplicates(
  ctx: BaseCtx & { readonly db: AnyDb },
  account: BillingAccount,
  { kept, all }: { kept: Stripe.Subscription; all: readonly Stripe.Subscription[] },
): Promise<void> {
  if (findPlan(kept) === undefined) return
  const duplicates = all.filter((item) => item.id !== kept.id && isLive(item) && findPlan(item) !== undefined)
  for (const duplicate of duplicates) {
    // Refund first: an ended subscription would not be found again after a failure.
    const refunded = await callProvider(ctx, (stripe) => refundUnusedShare(stripe, duplicate, kept.created))
    await callProvider(ctx, (stripe) => stripe.subscriptions.cancel(duplicate.id, { prorate: false }))
    await writeAudit(ctx, {
      action: 'duplicatePlanEnded',
      outcome: 'done',
      accountId: account.id,
      detail: { plan: findPlan(duplicate), kept_plan: findPlan(kept), refunded_dollars: refunded / 100 },
      requestId: ctx.requestId,
    })
  }
}

/** In cents: the share of the period left when the other plan was bought. */
async function refundUnusedShare(stripe: Stripe, duplicate: Stripe.Subscription, boughtAt: number): Promise<number> {
  const latest = duplicate.latest_invoice
  const id = typeof latest === 'string' ? latest : latest?.id
  const item = duplicate.items.data[0]
  if (id === undefined || !item) return 0
  const invoice = await stripe.invoices.retrieve(id)
  if (invoice.status !== 'paid') return 0
  if (invoice.post_payment_credit_notes_amount > 0) return invoice.post_payment_credit_notes_amount
  const { current_period_start: start, current_period_end: end } = item
  const left = Math.min(1, Math.max(0, (end - boughtAt) / (end - start)))
  const amount = Math.round(invoice.amount_paid * left)
  if (amount < 1) return 0
  await stripe.creditNotes.create(
    { invoice: id, amount, refund_amount: amount, reason: 'duplicate' },
    { idempotencyKey: `duplicate:${duplicate.id}` },
  )
  return amount
}
