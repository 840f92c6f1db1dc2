import { transaction } from '@trellis/control-db/database'
import { enqueue } from '@trellis/jobs/enqueue'
import Stripe from 'stripe'
import { AppError } from '../../platform/app-error.ts'
import type { SystemCtx } from '../../platform/ctx.ts'
import { callProvider } from '../../platform/payments/call-provider.ts'
import { listCustomers } from './billing.repository.ts'
import { workEvent } from './billing.jobs.ts'
import {
  deleteOldEvents,
  findCursor,
  findEvent,
  insertEvent,
  listStuckEvents,
  saveEventFailure,
  writeCursor,
} from './events.repository.ts'
import { syncCustomer } from './sync-customer.ts'

const TOLERANCE_SECONDS = 300
const STUCK_MINUTES = 10
const KEPT_DAYS = 60
const MAX_POLLED_EVENTS = 1000

const badSignatureError = () =>
  new AppError('invalid_request', 'The signature of this event is not right, or it is too old.')

/** Stores only events with a valid signature of the last five minutes. */
export async function receiveWebhook(
  ctx: SystemCtx,
  sent: { body: Buffer; signature: string | undefined },
): Promise<void> {
  const secret = await ctx.ports.payments.webhookSecret()
  if (secret === undefined || sent.signature === undefined) throw badSignatureError()
  const { signature } = sent
  let event: Stripe.Event
  try {
    event = Stripe.webhooks.constructEvent(sent.body, signature, secret, TOLERANCE_SECONDS)
  } catch {
    throw badSignatureError()
  }
  await recordEvent(ctx, event)
}

function findCustomerId(event: Stripe.Event): string | null {
  const object = event.data.object as { object?: string; id?: string; customer?: string | { id: string } | null }
  if (object.object === 'customer') return object.id ?? null
  const { customer } = object
  return typeof customer === 'string' ? customer : (customer?.id ?? null)
}

export async function recordEvent(ctx: SystemCtx, event: Stripe.Event): Promise<boolean> {
  return await transaction(ctx, async (ctx) => {
    const customer_id = findCustomerId(event)
    const isNew = await insertEvent(ctx, { id: event.id, type: event.type, customer_id, payload: event })
    if (isNew && customer_id !== null) await enqueue(ctx, workEvent, { event_id: event.id })
    return isNew
  })
}

export async function handlePaymentEvent(ctx: SystemCtx, payload: { event_id: string }): Promise<void> {
  const event = await findEvent(ctx, payload.event_id)
  if (!event || event.worked_at !== null || event.customer_id === null) return
  try {
    await syncCustomer(ctx, event.customer_id, { onlyIfPending: true })
  } catch (error) {
    await saveEventFailure(ctx, event.id, error instanceof Error ? error.message : 'unknown')
    throw error
  }
}

export async function handleSyncCustomer(ctx: SystemCtx, payload: { customer_id: string }): Promise<void> {
  await syncCustomer(ctx, payload.customer_id)
}

/** Catches lost webhooks; the only way if the provider cannot reach this installation. */
export async function handlePollEvents(ctx: SystemCtx): Promise<void> {
  const cursor = await findCursor(ctx)
  const events = await callProvider(ctx, (stripe) => listEventsAfter(stripe, cursor))
  for (const event of events.toReversed()) await recordEvent(ctx, event)
  const newest = events[0]
  if (newest) await writeCursor(ctx, newest.id)
  for (const event_id of await listStuckEvents(ctx, STUCK_MINUTES)) await enqueue(ctx, workEvent, { event_id })
}

/** Newest first. A cursor expires at the provider after 30 days and is ignored then. */
async function listEventsAfter(stripe: Stripe, cursor: string | undefined): Promise<Stripe.Event[]> {
  if (cursor === undefined)
    return await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: MAX_POLLED_EVENTS })
  try {
    const fresh: Stripe.Event[] = []
    for (let last = cursor, hasMore = true; hasMore && fresh.length < MAX_POLLED_EVENTS;) {
      const page = await stripe.events.list({ ending_before: last, limit: 100 })
      fresh.unshift(...page.data)
      last = page.data[0]?.id ?? last
      hasMore = page.has_more
    }
    return fresh
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
    return await listEventsAfter(stripe, undefined)
  }
}

export async function handleReconcile(ctx: SystemCtx): Promise<void> {
  for (const customerId of await listCustomers(ctx)) {
    await syncCustomer(ctx, customerId).catch((error: unknown) => {
      ctx.log.warn({ customerId, err: error }, 'An account could not be compared with the payment provider.')
    })
  }
  await deleteOldEvents(ctx, KEPT_DAYS)
}
