import type Stripe from 'stripe'
import { expireSession } from '../act/checkout.ts'
import { badParam } from '../api-error.ts'
import { type SandboxContext, forCustomer } from '../sandbox-context.ts'
import {
  type FormTree,
  getBranch,
  listBranches,
  mergeMetadata,
  getRequiredText,
  getText,
  getWholeNumber,
  getBoolean,
} from '../form.ts'
import { makeSession } from '../make/session.ts'
import { toList } from '../stripe-objects.ts'
import { type ApiRoute, expandObject, mapSequentially, listPage, wants } from './route.ts'

const DAY = 86_400
const HALF_HOUR = 1800

async function toSessionView(
  context: SandboxContext,
  session: Stripe.Checkout.Session,
  form: FormTree,
): Promise<Stripe.Checkout.Session> {
  const { line_items: lines, ...rest } = await expandObject(context, session, form)
  return wants(form, 'line_items') && lines ? { ...rest, line_items: lines } : rest
}

async function readLines(context: SandboxContext, form: FormTree) {
  const lines = listBranches(form, 'line_items')
  if (lines.length === 0) throw badParam('line_items', 'Missing required param: line_items.')
  return await mapSequentially(lines, async (line) => {
    const quantity = getWholeNumber(line, 'quantity') ?? 1
    if (quantity < 1 || quantity > 999_999)
      throw badParam('line_items[0][quantity]', 'The quantity must be at least 1.')
    return { price: await context.store.get('price', getRequiredText(line, 'price')), quantity }
  })
}

async function createSession(base: SandboxContext, form: FormTree): Promise<Stripe.Checkout.Session> {
  const mode = getRequiredText(form, 'mode')
  if (mode !== 'subscription' && mode !== 'payment') throw badParam('mode', `Invalid mode: ${mode}`)
  const customerId = getText(form, 'customer')
  const known = customerId === undefined ? undefined : await forCustomer(base, customerId)
  const context = known?.context ?? base
  const lines = await readLines(context, form)
  if (lines.some(({ price }) => (price.recurring !== null) !== (mode === 'subscription'))) {
    throw badParam(
      'line_items',
      `You must provide ${mode === 'subscription' ? 'a recurring' : 'a one-time'} price in ${mode} mode.`,
    )
  }
  const expiresAt = getWholeNumber(form, 'expires_at') ?? context.now + DAY
  if (expiresAt < context.now + HALF_HOUR - 60 || expiresAt > context.now + DAY + 60) {
    throw badParam('expires_at', 'The `expires_at` timestamp must be between 30 minutes and 24 hours from now.')
  }
  const successUrl = getRequiredText(form, 'success_url')
  if (!URL.canParse(successUrl)) throw badParam('success_url', 'Not a valid URL')
  const session = makeSession(context, {
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
  return await context.store.put(session)
}

export const checkoutRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/checkout/sessions',
    run: async (context, { form }) => await toSessionView(context, await createSession(context, form), form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions',
    run: async (context, { form }) => {
      const customer = getText(form, 'customer')
      const where = { status: getText(form, 'status'), subscription: getText(form, 'subscription') }
      const about = { kind: 'checkout.session', url: '/v1/checkout/sessions', form } as const
      const page = await listPage(context, about, { ...(customer ? { customer } : {}), where })
      return { ...page, data: await mapSequentially(page.data, (session) => toSessionView(context, session, form)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id',
    run: async (context, { id, form }) =>
      await toSessionView(context, await context.store.get('checkout.session', id), form),
  },
  {
    method: 'GET',
    path: '/v1/checkout/sessions/:id/line_items',
    run: async (context, { id }) => {
      const session = await context.store.get('checkout.session', id)
      return session.line_items ?? toList([], `/v1/checkout/sessions/${id}/line_items`)
    },
  },
  {
    method: 'POST',
    path: '/v1/checkout/sessions/:id/expire',
    run: async (context, { id, form }) =>
      await toSessionView(context, await expireSession(context, await context.store.get('checkout.session', id)), form),
  },
]
