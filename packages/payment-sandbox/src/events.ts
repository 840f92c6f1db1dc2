import type Stripe from 'stripe'
import { type SandboxContext, createId } from './sandbox-context.ts'
import type { SandboxObject } from './stripe-objects.ts'

const API_VERSION = '2026-10-28.endive'

/** Outbox: stored in the transaction in which it happens. */
export async function emit(context: SandboxContext, type: Stripe.Event.Type, object: SandboxObject): Promise<void> {
  const event: Stripe.EventBase = {
    id: createId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: context.now,
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  }
  await context.store.put(event as Stripe.Event)
  await context.store.query(
    `insert into sandbox_deliveries (event_id, endpoint_id)
     select $1, id from sandbox_objects where kind = 'webhook_endpoint' and body ->> 'status' = 'enabled'`,
    [event.id],
  )
}
