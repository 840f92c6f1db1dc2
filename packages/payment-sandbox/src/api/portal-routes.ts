import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import { advanceTestClock } from '../act/due-events.ts'
import { badParam } from '../api-error.ts'
import { type SandboxContext, forCustomer } from '../sandbox-context.ts'
import {
  type FormTree,
  getBranch,
  listBranches,
  mergeMetadata,
  getRequiredText,
  getText,
  getTexts,
  getWholeNumber,
  getBoolean,
} from '../form.ts'
import { addMonths } from '../months.ts'
import { makeConfiguration, makeEndpoint, makePortalSession, makeTestClock } from '../make/portal.ts'
import { type ApiRoute, listPage } from './route.ts'

const isOn = (features: FormTree, name: string) => getBoolean(getBranch(features, name) ?? {}, 'enabled') ?? false

function readConfiguration(context: SandboxContext, form: FormTree): Stripe.BillingPortal.Configuration {
  const features = getBranch(form, 'features') ?? {}
  const update = getBranch(features, 'subscription_update') ?? {}
  const conditions = listBranches(getBranch(update, 'schedule_at_period_end') ?? {}, 'conditions')
  return makeConfiguration(context, {
    headline: getText(getBranch(form, 'business_profile') ?? {}, 'headline') ?? null,
    returnUrl: getText(form, 'default_return_url') ?? null,
    metadata: mergeMetadata(form),
    canUpdateCard: isOn(features, 'payment_method_update'),
    canSeeInvoices: isOn(features, 'invoice_history'),
    canCancel: isOn(features, 'subscription_cancel'),
    products: isOn(features, 'subscription_update')
      ? listBranches(update, 'products').map((branch) => ({
          product: getRequiredText(branch, 'product'),
          prices: getTexts(branch, 'prices'),
        }))
      : [],
    isLowerAtPeriodEnd: conditions.some((condition) => getText(condition, 'type') === 'decreasing_item_amount'),
  })
}

type Flow = Stripe.BillingPortal.Session.Flow

async function readFlow(context: SandboxContext, form: FormTree): Promise<Flow | null> {
  const data = getBranch(form, 'flow_data')
  if (!data) return null
  const type = getRequiredText(data, 'type')
  const redirect = getBranch(getBranch(data, 'after_completion') ?? {}, 'redirect')
  const flow: Flow = {
    after_completion: {
      hosted_confirmation: null,
      redirect: redirect ? { return_url: getRequiredText(redirect, 'return_url') } : null,
      type: redirect ? 'redirect' : 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel: null,
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type: type as Flow['type'],
  }
  const about = getBranch(data, type) ?? {}
  if (type === 'payment_method_update') return flow
  const { id: subscription } = await context.store.get('subscription', getRequiredText(about, 'subscription'))
  if (type === 'subscription_cancel') return { ...flow, subscription_cancel: { retention: null, subscription } }
  if (type !== 'subscription_update_confirm') throw badParam('flow_data[type]', `The sandbox has no flow ${type}.`)
  const items = listBranches(about, 'items').map((item) => ({
    id: getText(item, 'id') ?? null,
    price: getRequiredText(item, 'price'),
    quantity: getWholeNumber(item, 'quantity') ?? 1,
  }))
  return { ...flow, subscription_update_confirm: { discounts: null, items, subscription } }
}

export const portalRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/billing_portal/configurations',
    run: async (context, { form }) => await context.store.put(readConfiguration(context, form)),
  },
  {
    method: 'GET',
    path: '/v1/billing_portal/configurations',
    run: async (context, { form }) =>
      await listPage(
        context,
        { kind: 'billing_portal.configuration', url: '/v1/billing_portal/configurations', form },
        { where: { active: getText(form, 'active') } },
      ),
  },
  {
    method: 'GET',
    path: '/v1/billing_portal/configurations/:id',
    run: async (context, { id }) => await context.store.get('billing_portal.configuration', id),
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/configurations/:id',
    run: async (context, { id, form }) => {
      const old = await context.store.get('billing_portal.configuration', id)
      const { features, business_profile, default_return_url, metadata } = readConfiguration(context, form)
      const active = getBoolean(form, 'active') ?? old.active
      return await context.store.put({
        ...old,
        features,
        business_profile,
        default_return_url,
        metadata,
        active,
        updated: context.now,
      })
    },
  },
  {
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    run: async (base, { form }) => {
      const { context, customer } = await forCustomer(base, getRequiredText(form, 'customer'))
      const wanted = getText(form, 'configuration')
      const [newest] = await context.store.list('billing_portal.configuration', { limit: 1 })
      const configuration = wanted ? await context.store.get('billing_portal.configuration', wanted) : newest
      if (!configuration)
        throw badParam(
          'configuration',
          'No configuration provided and your default configuration has not been created.',
        )
      const flow = await readFlow(context, form)
      const returnUrl = getText(form, 'return_url') ?? null
      return await context.store.put(
        makePortalSession(context, { configuration: configuration.id, customer: customer.id, returnUrl, flow }),
      )
    },
  },
]

/** Otherwise the sandbox could be used for SSRF. */
function isOnThisMachine(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname)
}

export const platformRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    run: async (context, { form }) => {
      const url = getRequiredText(form, 'url')
      if (!isOnThisMachine(url)) throw badParam('url', 'The sandbox delivers to this machine alone, over plain http.')
      const events = getTexts(form, 'enabled_events')
      const secret = `whsec_${randomBytes(24).toString('hex')}`
      return await context.store.put(makeEndpoint(context, { url, events, secret }))
    },
  },
  {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    run: async (context, { form }) => {
      const page = await listPage(context, { kind: 'webhook_endpoint', url: '/v1/webhook_endpoints', form })
      return { ...page, data: page.data.map(({ secret: _secret, ...shown }) => shown) }
    },
  },
  {
    method: 'GET',
    path: '/v1/events',
    run: async (context, { form }) => {
      const where = { type: getText(form, 'type') }
      return await listPage(
        context,
        { kind: 'event', url: '/v1/events', form },
        { where, types: getTexts(form, 'types') },
      )
    },
  },
  { method: 'GET', path: '/v1/events/:id', run: async (context, { id }) => await context.store.get('event', id) },
  {
    method: 'POST',
    path: '/v1/test_helpers/test_clocks',
    run: async (context, { form }) => {
      const frozenTime = getWholeNumber(form, 'frozen_time')
      if (frozenTime === undefined) throw badParam('frozen_time', 'Missing required param: frozen_time.')
      return await context.store.put(makeTestClock(context, { frozenTime, name: getText(form, 'name') ?? null }))
    },
  },
  {
    method: 'GET',
    path: '/v1/test_helpers/test_clocks/:id',
    run: async (context, { id }) => await context.store.get('test_helpers.test_clock', id),
  },
  {
    method: 'POST',
    path: '/v1/test_helpers/test_clocks/:id/advance',
    run: async (context, { id, form }) => {
      const to = getWholeNumber(form, 'frozen_time') ?? 0
      const clock = await context.store.get('test_helpers.test_clock', id)
      if (to <= clock.frozen_time) throw badParam('frozen_time', 'A test clock can only be advanced to a later time.')
      if (to > addMonths(clock.frozen_time, 2))
        throw badParam('frozen_time', 'A test clock can be advanced by at most two intervals at once.')
      return await advanceTestClock(context, id, to)
    },
  },
]
