import type Stripe from 'stripe'
import { endSubscription, releaseSchedule } from '../act/end.ts'
import { changePrice } from '../act/subscribe.ts'
import { ApiError } from '../api-error.ts'
import { type SandboxContext, forCustomer } from '../sandbox-context.ts'
import { emit } from '../events.ts'
import { type FormTree, listBranches, has, mergeMetadata, getText, getWholeNumber, getBoolean } from '../form.ts'
import { isLive, getItem, getStopTime } from '../make/subscription.ts'
import { toId } from '../stripe-objects.ts'
import { type ApiRoute, expandObject, mapSequentially, listPage } from './route.ts'

async function getSubscriptionWithContext(
  base: SandboxContext,
  id: string,
): Promise<{ context: SandboxContext; subscription: Stripe.Subscription }> {
  const subscription = await base.store.get('subscription', id)
  const { context } = await forCustomer(base, toId(subscription.customer) ?? '')
  return { context, subscription }
}

function withCancellation(
  context: SandboxContext,
  subscription: Stripe.Subscription,
  form: FormTree,
): Stripe.Subscription {
  if (!has(form, 'cancel_at_period_end') && !has(form, 'cancel_at')) return subscription
  const schedule = toId(subscription.schedule)
  if (schedule !== null) {
    const reason = `The subscription is managed by the subscription schedule \`${schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`
    throw new ApiError(400, reason)
  }
  const changed: Stripe.Subscription = {
    ...subscription,
    cancel_at: has(form, 'cancel_at') ? (getWholeNumber(form, 'cancel_at') ?? null) : subscription.cancel_at,
    cancel_at_period_end: getBoolean(form, 'cancel_at_period_end') ?? subscription.cancel_at_period_end,
  }
  if (getBoolean(form, 'cancel_at_period_end') === false && !has(form, 'cancel_at')) changed.cancel_at = null
  const isStopping = getStopTime(changed) !== null
  return {
    ...changed,
    canceled_at: isStopping ? (subscription.canceled_at ?? context.now) : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: isStopping ? 'cancellation_requested' : null,
    },
  }
}

async function updateSubscription(base: SandboxContext, id: string, form: FormTree): Promise<Stripe.Subscription> {
  const { context, subscription } = await getSubscriptionWithContext(base, id)
  if (!isLive(subscription))
    throw new ApiError(400, 'A canceled subscription can only update its cancellation_details and metadata.')
  const method = getText(form, 'default_payment_method')
  const changed: Stripe.Subscription = {
    ...withCancellation(context, subscription, form),
    metadata: mergeMetadata(form, subscription.metadata),
    default_payment_method: method ?? subscription.default_payment_method,
  }
  const priceId = listBranches(form, 'items').map((item) => getText(item, 'price'))[0]
  if (priceId !== undefined && priceId !== getItem(changed).price.id) {
    const proration = getText(form, 'proration_behavior') === 'none' ? 'none' : 'always_invoice'
    return await changePrice(context, changed, { price: await context.store.get('price', priceId), proration })
  }
  await context.store.put(changed)
  await emit(context, 'customer.subscription.updated', changed)
  return changed
}

export const subscriptionRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/subscriptions',
    run: async (context, { form }) => {
      const customer = getText(form, 'customer')
      const status = getText(form, 'status')
      const about = { kind: 'subscription', url: '/v1/subscriptions', form } as const
      const where = { status: status === 'all' ? undefined : status }
      const page = await listPage(context, about, { ...(customer ? { customer } : {}), where })
      const isShown = (subscription: Stripe.Subscription) => status !== undefined || subscription.status !== 'canceled'
      const data = page.data.filter((subscription) => isShown(subscription))
      return { ...page, data: await mapSequentially(data, (subscription) => expandObject(context, subscription, form)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions/:id',
    run: async (context, { id, form }) =>
      await expandObject(context, await context.store.get('subscription', id), form),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id',
    run: async (context, { id, form }) =>
      await expandObject(context, await updateSubscription(context, id, form), form),
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    run: async (base, { id }) => {
      const { context, subscription } = await getSubscriptionWithContext(base, id)
      if (!isLive(subscription)) throw new ApiError(404, `No such subscription: '${id}'`, { code: 'resource_missing' })
      return await endSubscription(context, subscription, 'cancellation_requested')
    },
  },
  {
    method: 'GET',
    path: '/v1/subscription_schedules/:id',
    run: async (context, { id }) => await context.store.get('subscription_schedule', id),
  },
  {
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    run: async (base, { id }) => {
      const schedule = await base.store.get('subscription_schedule', id)
      const { context, subscription } = await getSubscriptionWithContext(base, toId(schedule.subscription) ?? '')
      const free = await context.store.put(await releaseSchedule(context, subscription))
      await emit(context, 'customer.subscription.updated', free)
      return await context.store.get('subscription_schedule', id)
    },
  },
]
