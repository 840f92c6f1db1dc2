import type Stripe from 'stripe'
import { type SandboxContext, createId } from '../sandbox-context.ts'
import { toList } from '../stripe-objects.ts'

export interface CreditNoteInput {
  invoice: Stripe.Invoice
  amount: number
  reason: Stripe.CreditNote.Reason | null
  memo: string | null
  metadata: Record<string, string>
}

export function makeCreditNote(context: SandboxContext, about: CreditNoteInput): Stripe.CreditNote {
  const { invoice, amount } = about
  const id = createId('cn')
  return {
    id,
    object: 'credit_note',
    amount,
    amount_shipping: 0,
    created: context.now,
    currency: 'usd',
    customer: invoice.customer ?? '',
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: context.now,
    invoice: invoice.id,
    lines: toList([], `/v1/credit_notes/${id}/lines`),
    livemode: false,
    memo: about.memo,
    metadata: about.metadata,
    number: `${invoice.number ?? ''}-CN-01`,
    out_of_band_amount: null,
    pdf: `${context.pagesUrl}/i/${invoice.id}/print`,
    post_payment_amount: amount,
    pre_payment_amount: 0,
    pretax_credit_amounts: [],
    reason: about.reason,
    refunds: [{ amount_refunded: amount, payment_record_refund: null, refund: createId('re'), type: 'refund' }],
    shipping_cost: null,
    status: 'issued',
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: 'post_payment',
    voided_at: null,
  }
}
