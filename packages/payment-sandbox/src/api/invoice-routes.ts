import type Stripe from 'stripe'
import { closeInvoice, finalizeInvoice, payInvoice } from '../act/pay.ts'
import { ApiError, badParam, cardDeclinedError } from '../api-error.ts'
import { type SandboxContext, forCustomer, createId } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { type FormTree, mergeMetadata, getRequiredText, getText, getWholeNumber } from '../form.ts'
import { makeInvoice, makeLine } from '../make/invoice.ts'
import { toId } from '../stripe-objects.ts'
import { type ApiRoute, listPage } from './route.ts'

async function getInvoiceWithContext(
  base: SandboxContext,
  id: string,
  status: Stripe.Invoice.Status[],
): Promise<{ context: SandboxContext; invoice: Stripe.Invoice }> {
  const invoice = await base.store.get('invoice', id)
  if (!invoice.status || !status.includes(invoice.status)) {
    throw new ApiError(400, `This invoice is ${invoice.status}; it must be ${status.join(' or ')} for this.`, {
      code: 'invoice_not_editable',
    })
  }
  const { context } = await forCustomer(base, toId(invoice.customer) ?? '')
  return { context, invoice }
}

async function addItem(base: SandboxContext, form: FormTree): Promise<object> {
  const { context, invoice } = await getInvoiceWithContext(base, getRequiredText(form, 'invoice'), ['draft'])
  const amount = getWholeNumber(form, 'amount')
  if (amount === undefined) throw badParam('amount', 'Missing required param: amount.')
  const period = { start: context.now, end: context.now }
  const about = { description: getText(form, 'description') ?? 'Item', amount, quantity: 1, price: null, period }
  const line = makeLine(about, { invoice: invoice.id, subscription: undefined })
  const total = invoice.total + amount
  await context.store.put({
    ...invoice,
    lines: { ...invoice.lines, data: [...invoice.lines.data, line] },
    total,
    subtotal: total,
    amount_due: Math.max(total, 0),
    amount_remaining: Math.max(total, 0),
  })
  return {
    id: createId('ii'),
    object: 'invoiceitem',
    amount,
    currency: 'usd',
    customer: invoice.customer,
    invoice: invoice.id,
    livemode: false,
  }
}

export const invoiceRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/invoices',
    run: async (context, { form }) => {
      const customer = getText(form, 'customer')
      const about = { kind: 'invoice', url: '/v1/invoices', form } as const
      return await listPage(context, about, {
        ...(customer ? { customer } : {}),
        where: { status: getText(form, 'status') },
      })
    },
  },
  { method: 'GET', path: '/v1/invoices/:id', run: async (context, { id }) => await context.store.get('invoice', id) },
  {
    method: 'POST',
    path: '/v1/invoices',
    run: async (base, { form }) => {
      const { context, customer } = await forCustomer(base, getRequiredText(form, 'customer'))
      const invoice = await context.store.put(
        makeInvoice(context, { customer, reason: 'manual', lines: [], metadata: mergeMetadata(form) }),
      )
      await emit(context, 'invoice.created', invoice)
      return invoice
    },
  },
  { method: 'POST', path: '/v1/invoiceitems', run: async (context, { form }) => await addItem(context, form) },
  {
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    run: async (base, { id }) => {
      const { context, invoice } = await getInvoiceWithContext(base, id, ['draft'])
      return await finalizeInvoice(context, invoice)
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    run: async (base, { id }) => {
      const { context, invoice } = await getInvoiceWithContext(base, id, ['open', 'uncollectible'])
      const done = await payInvoice(context, invoice)
      return done.isPaid ? done.invoice : { refusal: cardDeclinedError() }
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    run: async (base, { id }) => {
      const { context, invoice } = await getInvoiceWithContext(base, id, ['open', 'uncollectible'])
      return await closeInvoice(context, invoice, 'void')
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    run: async (base, { id }) => {
      const { context, invoice } = await getInvoiceWithContext(base, id, ['open'])
      return await closeInvoice(context, invoice, 'uncollectible')
    },
  },
]
