import { randomBytes } from 'node:crypto'
import type Stripe from 'stripe'
import type { Store } from './store.ts'
import { toId } from './stripe-objects.ts'

export interface Book {
  readonly store: Store
  /** Unix seconds of the sandbox's or the customer's test clock. */
  readonly now: number
  readonly testClock: string | null
  readonly pagesUrl: string
}

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(16).toString('base64url').replaceAll(/[-_]/g, '0')}`
}

export async function sandboxNow(store: Store): Promise<number> {
  const rows = await store.query<{ ahead_seconds: string }>('select ahead_seconds from sandbox_clock')
  return Math.floor(Date.now() / 1000) + Number(rows[0]?.ahead_seconds ?? 0)
}

export async function withCustomerClock(book: Book, customer: Stripe.Customer): Promise<Book> {
  const testClock = toId(customer.test_clock)
  if (testClock === null) return { ...book, testClock, now: await sandboxNow(book.store) }
  const clock = await book.store.get('test_helpers.test_clock', testClock)
  return { ...book, testClock, now: clock.frozen_time }
}

export async function forCustomer(book: Book, id: string): Promise<{ book: Book; customer: Stripe.Customer }> {
  const customer = await book.store.get('customer', id)
  return { customer, book: await withCustomerClock(book, customer) }
}
