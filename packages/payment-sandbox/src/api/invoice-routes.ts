import type Stripe from 'stripe'
import { closeInvoice, finalizeInvoice, payInvoice } from '../act/pay.ts'
import { ApiError, badParam, cardDeclinedError } from '../api-error.ts'
import { type Book, forCustomer, newId } from '../book.ts'
import { emit } from '../events.ts'
import { type FormTree, mergeMetadata, neededText, getText, getWholeNumber } from '../form.ts'
import { makeInvoice, makeLine } from '../make/invoice.ts'
import { toId } from '../stripe-objects.ts'
import { type ApiRoute, listPage } from './route.ts'

async function getInvoiceWithBook(
  desk: Book,
  id: string,
  status: Stripe.Invoice.Status[],
): Promise<{ book: Book; invoice: Stripe.Invoice }> {
  const invoice = await desk.store.get('invoice', id)
  if (!invoice.status || !status.includes(invoice.status)) {
    throw new ApiError(400, `This invoice is ${invoice.status}; it must be ${status.join(' or ')} for this.`, {
      code: 'invoice_not_editable',
    })
  }
  const { book } = await forCustomer(desk, toId(invoice.customer) ?? '')
  return { book, invoice }
}

async function addItem(desk: Book, form: FormTree): Promise<object> {
  const { book, invoice } = await getInvoiceWithBook(desk, neededText(form, 'invoice'), ['draft'])
  const amount = getWholeNumber(form, 'amount')
  if (amount === undefined) throw badParam('amount', 'Missing required param: amount.')
  const period = { start: book.now, end: book.now }
  const about = { description: getText(form, 'description') ?? 'Item', amount, quantity: 1, price: null, period }
  const line = makeLine(about, { invoice: invoice.id, subscription: undefined })
  const total = invoice.total + amount
  await book.store.put({
    ...invoice,
    lines: { ...invoice.lines, data: [...invoice.lines.data, line] },
    total,
    subtotal: total,
    amount_due: Math.max(total, 0),
    amount_remaining: Math.max(total, 0),
  })
  return {
    id: newId('ii'),
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
    run: async (book, { form }) => {
      const customer = getText(form, 'customer')
      const about = { kind: 'invoice', url: '/v1/invoices', form } as const
      return await listPage(book, about, {
        ...(customer ? { customer } : {}),
        where: { status: getText(form, 'status') },
      })
    },
  },
  { method: 'GET', path: '/v1/invoices/:id', run: async (book, { id }) => await book.store.get('invoice', id) },
  {
    method: 'POST',
    path: '/v1/invoices',
    run: async (desk, { form }) => {
      const { book, customer } = await forCustomer(desk, neededText(form, 'customer'))
      const invoice = await book.store.put(
        makeInvoice(book, { customer, reason: 'manual', lines: [], metadata: mergeMetadata(form) }),
      )
      await emit(book, 'invoice.created', invoice)
      return invoice
    },
  },
  { method: 'POST', path: '/v1/invoiceitems', run: async (book, { form }) => await addItem(book, form) },
  {
    method: 'POST',
    path: '/v1/invoices/:id/finalize',
    run: async (desk, { id }) => {
      const { book, invoice } = await getInvoiceWithBook(desk, id, ['draft'])
      return await finalizeInvoice(book, invoice)
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/pay',
    run: async (desk, { id }) => {
      const { book, invoice } = await getInvoiceWithBook(desk, id, ['open', 'uncollectible'])
      const done = await payInvoice(book, invoice)
      return done.isPaid ? done.invoice : { refusal: cardDeclinedError() }
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/void',
    run: async (desk, { id }) => {
      const { book, invoice } = await getInvoiceWithBook(desk, id, ['open', 'uncollectible'])
      return await closeInvoice(book, invoice, 'void')
    },
  },
  {
    method: 'POST',
    path: '/v1/invoices/:id/mark_uncollectible',
    run: async (desk, { id }) => {
      const { book, invoice } = await getInvoiceWithBook(desk, id, ['open'])
      return await closeInvoice(book, invoice, 'uncollectible')
    },
  },
]
