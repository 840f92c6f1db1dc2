import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'
import { toId } from './stripe-objects.ts'

export interface SandboxContext {
  readonly store: Store
  /** Unix seconds of the sandbox's or the customer's test clock. */
  readonly now: number
  readonly testClock: string | null
  readonly pagesUrl: string
}

export function createId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('base64url').replaceAll(/[-_]/g, '0')}`
}

export async function sandboxNow(store: Store): Promise<number> {
  const rows = await store.query<{ ahead_seconds: string }>('select ahead_seconds from sandbox_clock')
  return Math.floor(Date.now() / 1000) + Number(rows[0]?.ahead_seconds ?? 0)
}

export async function withCustomerClock(context: SandboxContext, customer: Stripe.Customer): Promise<SandboxContext> {
  const testClock = toId(customer.test_clock)
  if (testClock === null) return { ...context, testClock, now: await sandboxNow(context.store) }
  const clock = await context.store.get('test_helpers.test_clock', testClock)
  return { ...context, testClock, now: clock.frozen_time }
}

export async function forCustomer(
  context: SandboxContext,
  id: string,
): Promise<{ context: SandboxContext; customer: Stripe.Customer }> {
  const customer = await context.store.get('customer', id)
  return { customer, context: await withCustomerClock(context, customer) }
}
