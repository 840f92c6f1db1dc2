import type Stripe from 'stripe'
import { expireSession } from '../act/checkout.ts'
import { badParam } from '../api-error.ts'
import { type Book, forCustomer } from '../book.ts'
import {
  type FormTree,
  getBranch,
  listBranches,
  mergeMetadata,
  neededText,
  getText,
  getWholeNumber,
  getBoolean,
} from '../form.ts'
import { makeSession } from '../make/session.ts'
import { toList } from '../stripe-objects.ts'
import { type ApiRoute, expandObject, inTurn, listPage, wants } from './route.ts'

const DAY = 86_400
const HALF_HOUR = 1800

async function toSessionView(
  book: Book,
  session: Stripe.Checkout.Session,
  form: FormTree,
): Promise<Stripe.Checkout.Session> {
  const { line_items: lines, ...rest } = await expandObject(book, session, form)
  return wants(form, 'line_items') && lines ? { ...rest, line_items: lines } : rest
}

async function readLines(book: Book, form: FormTree) {
  const lines = listBranches(form, 'line_items')
  if (lines.length === 0) throw badParam('line_items', 'Missing required param: line_items.')
  return await inTurn(lines, async (line) => {
    const quantity = getWholeNumber(line, 'quantity') ?? 1
    if (quantity < 1 || quantity > 999_999)
      throw badParam('line_items[0][quantity]', 'The quantity must be at least 1.')
    return { price: await book.store.get('price', neededText(line, 'price')), quantity }
  })
}

async function createSession(desk: Book, form: FormTree): Promise<Stripe.Checkout.Session> {
  const mode = neededText(form, 'mode')
  if (mode !== 'subscription' && mode !== 'payment') throw badParam('mode', `Invalid mode: ${mode}`)
  const customerId = getText(form, 'customer')
  const known = customerId === undefined ? undefined : await forCustomer(desk, customerId)
  const book = known?.book ?? desk
  const lines = await readLines(book, form)
  if (lines.some(({ price }) => (price.recurring !== null) !== (mode === 'subscription'))) {
    throw badParam(
      'line_items',
      `You must provide ${mode === 'subscription' ? 'a recurring' : 'a one-time'} price in ${mode} mode.`,
    )
  }
  const expiresAt = getWholeNumber(form, 'expires_at') ?? book.now + DAY
  if (expiresAt < book.now + HALF_HOUR - 60 || expiresAt > book.now + DAY + 60) {
    throw badParam('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
  }
  const successUrl = neededText(form, 'success_url')
  if (!URL.canParse(successUrl)) throw badParam('success_url', 'Not a valid URL')
  const session = makeSession(book, {
    mode,
    customer: known?.customer,
    customerEmail: getText(form, 'customer_email') ?? null,
    lines,
    successUrl,
    cancelUrl: getText(form, 'cancel_url') ?? null,
    clientReference: getText(form, 'client_reference_id') ?? null,
    metadata: mergeMetadata(form),
    hasInvoice: getBoolean(getBranch(form, 'invoice_creation') ?? {}, 'enabled') ?? false,
    expiresAt,
  })
  return await book.store.put(session)
}

export const checkoutRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    run: async (book, { form }) => await toSessionView(book, await createSession(book, form), form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    run: async (book, { form }) => {
      const customer = getText(form, 'customer')
      const where = { status: getText(form, 'status'), subscription: getText(form, 'subscription') }
      const about = { kind: 'checkout.session', url: '/v1/checkout/sessions', form } as const
      const page = await listPage(book, about, { ...(customer ? { customer } : {}), where })
      return { ...page, data: await inTurn(page.data, (session) => toSessionView(book, session, form)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    run: async (book, { id, form }) => await toSessionView(book, await book.store.get('checkout.session', id), form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    run: async (book, { id }) => {
      const session = await book.store.get('checkout.session', id)
      return session.line_items ?? toList([], `/v1/checkout/sessions/${id}/line_items`)
    },
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    run: async (book, { id, form }) =>
      await toSessionView(book, await expireSession(book, await book.store.get('checkout.session', id)), form),
  },
]
