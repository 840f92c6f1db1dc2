import type Stripe from 'stripe'
import { endSubscription, releaseSchedule } from '../act/end.ts'
import { changePrice } from '../act/subscribe.ts'
import { ApiError } from '../api-error.ts'
import { type Book, forCustomer } from '../book.ts'
import { emit } from '../events.ts'
import { type FormTree, listBranches, has, mergeMetadata, getText, getWholeNumber, getBoolean } from '../form.ts'
import { isLive, getItem, stopsAt } from '../make/subscription.ts'
import { toId } from '../stripe-objects.ts'
import { type ApiRoute, expandObject, inTurn, listPage } from './route.ts'

async function getSubscriptionWithBook(
  desk: Book,
  id: string,
): Promise<{ book: Book; subscription: Stripe.Subscription }> {
  const subscription = await desk.store.get('subscription', id)
  const { book } = await forCustomer(desk, toId(subscription.customer) ?? '')
  return { book, subscription }
}

function withCancellation(book: Book, subscription: Stripe.Subscription, form: FormTree): Stripe.Subscription {
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
  const isStopping = stopsAt(changed) !== null
  return {
    ...changed,
    canceled_at: isStopping ? (subscription.canceled_at ?? book.now) : null,
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: isStopping ? 'cancellation_requested' : null,
    },
  }
}

async function updateSubscription(desk: Book, id: string, form: FormTree): Promise<Stripe.Subscription> {
  const { book, subscription } = await getSubscriptionWithBook(desk, id)
  if (!isLive(subscription))
    throw new ApiError(400, 'A canceled subscription can only update its cancellation_details and metadata.')
  const method = getText(form, 'default_payment_method')
  const changed: Stripe.Subscription = {
    ...withCancellation(book, subscription, form),
    metadata: mergeMetadata(form, subscription.metadata),
    default_payment_method: method ?? subscription.default_payment_method,
  }
  const priceId = listBranches(form, 'items').map((item) => getText(item, 'price'))[0]
  if (priceId !== undefined && priceId !== getItem(changed).price.id) {
    const proration = getText(form, 'proration_behavior') === 'none' ? 'none' : 'always_invoice'
    return await changePrice(book, changed, { price: await book.store.get('price', priceId), proration })
  }
  await book.store.put(changed)
  await emit(book, 'customer.subscription.updated', changed)
  return changed
}

export const subscriptionRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/v1/subscriptions',
    run: async (book, { form }) => {
      const customer = getText(form, 'customer')
      const status = getText(form, 'status')
      const about = { kind: 'subscription', url: '/v1/subscriptions', form } as const
      const where = { status: status === 'all' ? undefined : status }
      const page = await listPage(book, about, { ...(customer ? { customer } : {}), where })
      const isShown = (subscription: Stripe.Subscription) => status !== undefined || subscription.status !== 'canceled'
      const data = page.data.filter((subscription) => isShown(subscription))
      return { ...page, data: await inTurn(data, (subscription) => expandObject(book, subscription, form)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/subscriptions/:id',
    run: async (book, { id, form }) => await expandObject(book, await book.store.get('subscription', id), form),
  },
  {
    method: 'POST',
    path: '/v1/subscriptions/:id',
    run: async (book, { id, form }) => await expandObject(book, await updateSubscription(book, id, form), form),
  },
  {
    method: 'DELETE',
    path: '/v1/subscriptions/:id',
    run: async (desk, { id }) => {
      const { book, subscription } = await getSubscriptionWithBook(desk, id)
      if (!isLive(subscription)) throw new ApiError(404, `No such subscription: '${id}'`, { code: 'resource_missing' })
      return await endSubscription(book, subscription, 'cancellation_requested')
    },
  },
  {
    method: 'GET',
    path: '/v1/subscription_schedules/:id',
    run: async (book, { id }) => await book.store.get('subscription_schedule', id),
  },
  {
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    run: async (desk, { id }) => {
      const schedule = await desk.store.get('subscription_schedule', id)
      const { book, subscription } = await getSubscriptionWithBook(desk, toId(schedule.subscription) ?? '')
      const free = await book.store.put(await releaseSchedule(book, subscription))
      await emit(book, 'customer.subscription.updated', free)
      return await book.store.get('subscription_schedule', id)
    },
  },
]
