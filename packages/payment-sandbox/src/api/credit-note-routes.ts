import type Stripe from 'stripe'
import { ApiError, badParam } from '../api-error.ts'
import { type SandboxContext, forCustomer } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { type FormTree, mergeMetadata, getRequiredText, getText, getWholeNumber } from '../form.ts'
import { makeCreditNote } from '../make/credit-note.ts'
import { toId } from '../stripe-objects.ts'
import { type ApiRoute, listPage } from './route.ts'

async function releaseCall(base: SandboxContext, form: FormTree): Promise<Stripe.CreditNote> {
  const invoice = await base.store.get('invoice', getRequiredText(form, 'invoice'))
  if (invoice.status !== 'paid') throw new ApiError(400, 'Only a paid invoice can be refunded by a credit note here.')
  const amount = getWholeNumber(form, 'amount') ?? 0
  if (amount < 1 || amount > invoice.amount_paid - invoice.post_payment_credit_notes_amount)
    throw badParam('amount', 'The amount must be positive and no more than what is left of the invoice.')
  if (getWholeNumber(form, 'refund_amount') !== amount)
    throw badParam('refund_amount', 'The sum of refunds must be the amount of the credit note.')
  const { context } = await forCustomer(base, toId(invoice.customer) ?? '')
  const about = { invoice, amount, memo: getText(form, 'memo') ?? null, metadata: mergeMetadata(form) }
  const reason = (getText(form, 'reason') ?? null) as Stripe.CreditNote.Reason | null
  const note = await context.store.put(makeCreditNote(context, { ...about, reason }))
  const credited = invoice.post_payment_credit_notes_amount + amount
  const changed = await context.store.put({ ...invoice, post_payment_credit_notes_amount: credited })
  await emit(context, 'credit_note.created', note)
  await emit(context, 'invoice.updated', changed)
  return note
}

export const creditNoteRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/credit_notes',
    run: async (context, { form }) => {
      const customer = getText(form, 'customer')
      const about = { kind: 'credit_note', url: '/v1/credit_notes', form } as const
      const where = { invoice: getText(form, 'invoice') }
      return await listPage(context, about, { ...(customer ? { customer } : {}), where })
    },
  },
  { method: 'POST', path: '/v1/credit_notes', run: async (context, { form }) => await releaseCall(context, form) },
]
