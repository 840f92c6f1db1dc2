import type Stripe from 'stripe'
import { type Book, newId } from './book.ts'
import type { SandboxObject } from './stripe-objects.ts'

const API_VERSION = '2026-10-28.endive'

/** Outbox: stored in the transaction in which it happens. */
export async function emit(book: Book, type: Stripe.Event.Type, object: SandboxObject): Promise<void> {
  const event: Stripe.EventBase = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: book.now,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  await book.store.put(event as Stripe.Event)
  await book.store.query(
    `insert into sandbox_deliveries (event_id, endpoint_id)
     select $1, id from sandbox_objects where kind = 'webhook_endpoint' and body ->> 'status' = 'enabled'`,
    [event.id],
  )
}
