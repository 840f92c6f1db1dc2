import type { Simulator } from '@trellis/connector-kit/connector'
import { getSimulatorTime } from '@trellis/connector-kit/simulate'
import { createRandom, toEmail, pickFirstName, pickLastName } from '../shared/dice.ts'
import { DAY, getCreationTime, countUntil, jsonResponse, findLastChange } from '../shared/sample-time.ts'

const dice = createRandom('stripe')
const CUSTOMER_HOURS = 12
const CHARGE_HOURS = 7
const toSeconds = (instant: number) => Math.floor(instant / 1000)
const makeId = (prefix: string, index: number) => `${prefix}_${String(index).padStart(8, '0')}`

interface StripeObject extends Record<string, unknown> {
  readonly id: string
  readonly created: number
}

type Maker = (index: number, now: Date) => StripeObject

const makeCustomer: Maker = (index) => {
  const [first, last] = [pickFirstName(dice, index), pickLastName(dice, index)]
  return {
    id: makeId('cus', index),
    object: 'customer',
    email: toEmail(first, last, index),
    name: `${first} ${last}`,
    phone: null,
    currency: index % 3 === 0 ? null : 'eur',
    balance: -100 * dice.whole(3, 'balance', index),
    delinquent: dice.fraction('late', index) < 0.05,
    description: null,
    address: index % 2 === 0 ? { country: 'DE', city: 'Berlin' } : null,
    metadata: { plan: dice.pick(['basic', 'pro'], 'plan', index) },
    created: toSeconds(getCreationTime(index, CUSTOMER_HOURS)),
    livemode: false,
  }
}

const charge: Maker = (index, now) => {
  const born = getCreationTime(index, CHARGE_HOURS)
  const isReturned = index % 9 === 0 && findLastChange(born, [14], now).step === 1
  const amount = 990 + 500 * dice.whole(20, 'amount', index)
  return {
    id: makeId('ch', index),
    object: 'charge',
    amount,
    amount_refunded: isReturned ? amount : 0,
    currency: 'eur',
    customer: makeId('cus', Math.floor(index / 2)),
    invoice: index % 2 === 0 ? makeId('in', index) : null,
    payment_intent: makeId('pi', index),
    status: index % 17 === 0 ? 'failed' : 'succeeded',
    paid: index % 17 !== 0,
    refunded: isReturned,
    failure_code: index % 17 === 0 ? 'card_declined' : null,
    payment_method_details: {
      type: 'card',
      card: { brand: dice.pick(['visa', 'mastercard', 'amex'], 'brand', index) },
    },
    metadata: {},
    created: toSeconds(born),
  }
}

const makeInvoice: Maker = (index, now) => {
  const born = getCreationTime(index, CHARGE_HOURS)
  const isPaid = findLastChange(born, [dice.whole(20, 'days', index)], now).step === 1
  const total = 990 + 500 * dice.whole(20, 'amount', index)
  return {
    id: makeId('in', index),
    object: 'invoice',
    number: `T-${1000 + index}`,
    customer: makeId('cus', Math.floor(index / 2)),
    subscription: index % 2 === 0 ? makeId('sub', Math.floor(index / 4)) : null,
    status: isPaid ? 'paid' : 'open',
    currency: 'eur',
    amount_due: total,
    amount_paid: isPaid ? total : 0,
    amount_remaining: isPaid ? 0 : total,
    total,
    due_date: index % 3 === 0 ? toSeconds(born + 14 * DAY) : null,
    period_start: toSeconds(born - 30 * DAY),
    period_end: toSeconds(born),
    lines: { object: 'list', data: [{ id: makeId('il', index), amount: total, description: 'Plan' }], has_more: false },
    created: toSeconds(born),
  }
}

const makeSubscription: Maker = (index, now) => {
  const born = getCreationTime(index, 4 * CHARGE_HOURS)
  const isOver = index % 5 === 0 && findLastChange(born, [60], now).step === 1
  const months = Math.floor((now.getTime() - born) / (30 * DAY))
  return {
    id: makeId('sub', index),
    object: 'subscription',
    customer: makeId('cus', index),
    status: isOver ? 'canceled' : 'active',
    currency: 'eur',
    cancel_at_period_end: false,
    canceled_at: isOver ? toSeconds(born + 60 * DAY) : null,
    current_period_start: toSeconds(born + months * 30 * DAY),
    current_period_end: toSeconds(born + (months + 1) * 30 * DAY),
    items: {
      object: 'list',
      data: [{ id: makeId('si', index), quantity: 1 + dice.whole(5, 'seats', index) }],
      has_more: false,
    },
    created: toSeconds(born),
  }
}

const refund: Maker = (index, now) => {
  const of = charge(index * 9, now)
  return {
    id: makeId('re', index),
    object: 'refund',
    amount: of['amount'],
    currency: 'eur',
    charge: of.id,
    payment_intent: of['payment_intent'],
    reason: index % 2 === 0 ? 'requested_by_customer' : null,
    status: 'succeeded',
    created: of.created + 14 * 86_400,
  }
}

interface List {
  readonly make: Maker
  readonly hours: number
  readonly delay?: number
}
const LISTS: Readonly<Record<string, List>> = {
  customers: { make: makeCustomer, hours: CUSTOMER_HOURS },
  charges: { make: charge, hours: CHARGE_HOURS },
  invoices: { make: makeInvoice, hours: CHARGE_HOURS },
  subscriptions: { make: makeSubscription, hours: 4 * CHARGE_HOURS },
  refunds: { make: refund, hours: 9 * CHARGE_HOURS, delay: 14 * DAY },
}

const refuse = (status: number, message: string) =>
  jsonResponse({ error: { type: 'invalid_request_error', message } }, { status })

/** Newest first. Keys containing `wrong` are unknown; those with `limited` may not read invoices. */
export const stripeSimulator: Simulator = async (request) => {
  const url = new URL(request.url)
  const key = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1] ?? ''
  if (key === '' || key.includes('wrong')) return refuse(401, 'Invalid API Key provided.')
  const name = /^\/v1\/([a-z]+)$/.exec(url.pathname)?.[1] ?? ''
  const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined
  if (!list) return refuse(404, `Unrecognized request URL (GET: ${url.pathname}).`)
  if (key.includes('limited') && name === 'invoices') {
    return refuse(403, 'The provided key does not have the required permissions for this endpoint.')
  }
  const limit = Number(url.searchParams.get('limit') ?? 10)
  if (limit < 1 || limit > 100) return refuse(400, 'This value must be between 1 and 100.')
  const { data, hasMore } = toPage(list, { limit, asked: url.searchParams, now: getSimulatorTime(request) })
  return jsonResponse({ object: 'list', url: url.pathname, has_more: hasMore, data })
}

interface ListRequest {
  readonly limit: number
  readonly asked: URLSearchParams
  readonly now: Date
}

function toPage(
  { make, hours, delay = 0 }: List,
  { limit, asked, now }: ListRequest,
): { data: StripeObject[]; hasMore: boolean } {
  const since = Number(asked.get('created[gte]') ?? 0)
  const after = asked.get('starting_after')
  const newest = countUntil(new Date(now.getTime() - delay), hours) - 1
  const data: StripeObject[] = []
  for (let at = after === null ? newest : Number(after.split('_')[1]) - 1; at >= 0; at -= 1) {
    const stripeObject = make(at, now)
    if (stripeObject.created < since) break
    if (data.length === limit) return { data, hasMore: true }
    data.push(stripeObject)
  }
  return { data, hasMore: false }
}
