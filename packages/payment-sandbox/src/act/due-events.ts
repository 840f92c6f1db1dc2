import type Stripe from 'stripe'
import type { SandboxContext } from '../sandbox-context.ts'
import { getStopTime } from '../make/subscription.ts'
import { expireSession } from './checkout.ts'
import { endSubscription } from './end.ts'
import { finalizeInvoice, payInvoice } from './pay.ts'
import { renewSubscription } from './subscribe.ts'

const MAX_STEPS = 20_000

interface DueEvent {
  id: string
  kind: 'subscription' | 'invoice' | 'checkout.session'
  at: number
}

export async function processEventsUntil(context: SandboxContext, until: number): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const due = await findNextDue(context, until)
    if (!due) return
    await processDueEvent({ ...context, now: due.at }, due)
  }
}

async function findNextDue(context: SandboxContext, until: number): Promise<DueEvent | undefined> {
  const rows = await context.store.query<{ id: string; kind: DueEvent['kind']; at: string }>(
    `select id, kind, at from (
       select id, kind, seq, 1 as turn, least((body ->> 'cancel_at')::bigint,
              (body #>> '{items,data,0,current_period_end}')::bigint) as at
         from sandbox_objects
        where kind = 'subscription' and body ->> 'status' in ('active', 'past_due')
          and body ->> 'test_clock' is not distinct from $1
       union all
       select id, kind, seq, 2, case body ->> 'status' when 'draft' then (body ->> 'automatically_finalizes_at')::bigint
              else (body ->> 'next_payment_attempt')::bigint end
         from sandbox_objects
        where kind = 'invoice' and body ->> 'status' in ('draft', 'open')
          and body ->> 'test_clock' is not distinct from $1
       union all
       select id, kind, seq, 3, (body ->> 'expires_at')::bigint
         from sandbox_objects
        where kind = 'checkout.session' and body ->> 'status' = 'open' and $1::text is null
     ) as dues
     where at <= $2 order by at, turn, seq limit 1`,
    [context.testClock, until],
  )
  const [first] = rows
  return first && { ...first, at: Number(first.at) }
}

async function processDueEvent(context: SandboxContext, due: DueEvent): Promise<void> {
  switch (due.kind) {
    case 'subscription':
      return await stepSubscription(context, await context.store.get('subscription', due.id))
    case 'invoice':
      return await stepInvoice(context, await context.store.get('invoice', due.id))
    case 'checkout.session':
      await expireSession(context, await context.store.get('checkout.session', due.id))
  }
}

async function stepSubscription(context: SandboxContext, subscription: Stripe.Subscription): Promise<void> {
  const stops = getStopTime(subscription)
  if (stops !== null && stops <= context.now) await endSubscription(context, subscription, 'cancellation_requested')
  else await renewSubscription(context, subscription)
}

async function stepInvoice(context: SandboxContext, invoice: Stripe.Invoice): Promise<void> {
  await payInvoice(context, invoice.status === 'draft' ? await finalizeInvoice(context, invoice) : invoice)
}

export async function advanceTestClock(
  context: SandboxContext,
  id: string,
  to: number,
): Promise<Stripe.TestHelpers.TestClock> {
  const clock = await context.store.get('test_helpers.test_clock', id)
  await processEventsUntil({ ...context, testClock: id, now: clock.frozen_time }, to)
  return await context.store.put({ ...clock, frozen_time: to, status: 'ready' as const })
}

export async function advanceSandbox(context: SandboxContext, seconds: number): Promise<void> {
  await processEventsUntil({ ...context, testClock: null }, context.now + seconds)
  await context.store.query('update sandbox_clock set ahead_seconds = ahead_seconds + $1', [seconds])
}
