import type { Simulator } from '@trellis/connector-kit/connector'
import { toSimulatorUrl, getSimulatorTime } from '@trellis/connector-kit/simulate'
import { createRandom, toEmail, pickFirstName, pickLastName } from '../shared/dice.ts'
import { getCreationTime, countUntil, jsonResponse, findLastChange } from '../shared/sample-time.ts'
import { answerConsent } from '../shared/consent-simulator.ts'
import { getAccess } from '../shared/consent-tokens.ts'
import { API_PATH, TOKEN_HEADER } from './manifest.ts'
import { SHOPIFY_CONSENT } from './oauth.ts'

const dice = createRandom('shopify')
const FIRST_ID = 5_000_000_000_000

type Maker = (index: number, step: number) => Record<string, unknown>

const formatCents = (cents: number) => (cents / 100).toFixed(2)
const makeOrder: Maker = (index, step) => {
  const items = Array.from({ length: 1 + dice.whole(3, 'items', index) }, (_, at) => ({
    id: FIRST_ID + index * 10 + at,
    product_id: FIRST_ID + dice.whole(40, 'product', index, at),
    quantity: 1 + dice.whole(2, 'quantity', index, at),
    price: formatCents(990 + 1000 * dice.whole(9, 'price', index, at)),
  }))
  const total = items.reduce((sum, { quantity, price }) => sum + quantity * Math.round(Number(price) * 100), 0)
  return {
    name: `#${1001 + index}`,
    email: index % 7 === 0 ? '' : `buyer.${index % 60}@example.com`,
    customer: index % 7 === 0 ? null : { id: FIRST_ID + (index % 60) },
    financial_status: step === 2 && index % 8 === 0 ? 'refunded' : 'paid',
    fulfillment_status: step === 0 ? null : 'fulfilled',
    currency: 'EUR',
    total_price: formatCents(total),
    subtotal_price: formatCents(total),
    total_tax: formatCents(Math.round(total * 0.19)),
    total_discounts: '0.00',
    tags: '',
    line_items: items,
    cancelled_at: null,
    processed_at: new Date(getCreationTime(index, HOURS.orders)).toISOString(),
  }
}
const makeCustomer: Maker = (index, step) => {
  const [first, last] = [pickFirstName(dice, index), pickLastName(dice, index)]
  return {
    email: toEmail(first, last, index),
    first_name: first,
    last_name: last,
    orders_count: step * 2,
    total_spent: formatCents(step * 4990),
    state: index % 3 === 0 ? 'disabled' : 'enabled',
    verified_email: index % 4 !== 0,
    default_address: index % 5 === 0 ? null : { country_code: 'DE', zip: '10115' },
  }
}
const makeProduct: Maker = (index, step) => ({
  title: `${dice.pick(['Oak', 'Linen', 'Steel'], 'stuff', index)} ${dice.pick(['lamp', 'chair', 'shelf'], 'thing', index)} ${index}`,
  handle: `thing-${index}`,
  vendor: 'Own',
  product_type: '',
  status: step === 2 && index % 6 === 0 ? 'archived' : 'active',
  tags: 'home, new',
  variants: [{ id: FIRST_ID + index, price: formatCents(1990 + 500 * step), sku: `SKU-${index}` }],
  published_at: index % 9 === 0 ? null : new Date(getCreationTime(index, HOURS.products)).toISOString(),
})

const HOURS = { orders: 5, customers: 12, products: 14 } as const
const LISTS: Readonly<Record<string, { make: Maker; hours: number }>> = {
  orders: { make: makeOrder, hours: HOURS.orders },
  customers: { make: makeCustomer, hours: HOURS.customers },
  products: { make: makeProduct, hours: HOURS.products },
}

interface PageInfo {
  /** From the first request; following pages cannot change it. */
  readonly since: number
  readonly after: readonly [number, number]
}

const refuse = (status: number, errors: string) => jsonResponse({ errors }, { status })

function findRefusal(request: Request, name: string): Response | undefined {
  const token = request.headers.get(TOKEN_HEADER) ?? ''
  const { state, holder } = getAccess(token, getSimulatorTime(request))
  if (state !== 'good' || token.includes('wrong')) return refuse(401, '[API] Invalid API key or access token')
  if (!Object.hasOwn(LISTS, name)) return refuse(404, 'Not Found')
  if (holder === 'stranger' || (token.includes('limited') && name === 'customers'))
    return refuse(403, `[API] This action requires merchant approval for read_${name} scope.`)
  return undefined
}

export const shopifySimulator: Simulator = async (request) => {
  const url = new URL(request.url)
  const consent = await answerConsent(request, SHOPIFY_CONSENT)
  if (consent) return consent
  const name = url.pathname.startsWith(API_PATH)
    ? (/^\/([a-z]+)\.json$/.exec(url.pathname.slice(API_PATH.length))?.[1] ?? '')
    : ''
  const list = LISTS[name]
  const refusal = findRefusal(request, name)
  if (refusal || !list) return refusal ?? refuse(404, 'Not Found')
  const requestedSearchParam = url.searchParams
  const info = requestedSearchParam.get('page_info')
  if (info !== null && [...requestedSearchParam.keys()].some((key) => key !== 'page_info' && key !== 'limit')) {
    return refuse(400, 'page_info can only be used with limit')
  }
  const limit = Math.min(250, Number(requestedSearchParam.get('limit') ?? 50))
  const page: PageInfo =
    info === null
      ? { since: Date.parse(requestedSearchParam.get('updated_at_min') ?? '1970-01-01'), after: [0, 0] }
      : (JSON.parse(atob(info)) as PageInfo)
  const now = getSimulatorTime(request)
  const all = listChanges(list, now).filter(({ at, index }) => at >= page.since && isAfter([at, index + 1], page.after))
  const shown = all.slice(0, limit)
  const items = shown.map(({ at, index, step }) => ({
    id: FIRST_ID + index,
    ...list.make(index, step),
    created_at: new Date(getCreationTime(index, list.hours)).toISOString(),
    updated_at: new Date(at).toISOString(),
  }))
  const last = shown.at(-1)
  const headers =
    last && all.length > limit
      ? { link: buildNextLink(request, { name, limit, page: { ...page, after: [last.at, last.index + 1] } }) }
      : {}
  return jsonResponse({ [name]: items }, { headers })
}

const isAfter = (a: readonly [number, number], b: readonly [number, number]) =>
  a[0] > b[0] || (a[0] === b[0] && a[1] > b[1])

function listChanges({ hours }: { hours: number }, now: Date) {
  return Array.from({ length: countUntil(now, hours) }, (_, index) => {
    const days = [1 + dice.whole(3, 'sent', index), 9 + dice.whole(20, 'back', index)]
    return { index, ...findLastChange(getCreationTime(index, hours), days, now) }
  }).toSorted((a, b) => a.at - b.at || a.index - b.index)
}

function buildNextLink(
  request: Request,
  { name, limit, page }: { name: string; limit: number; page: PageInfo },
): string {
  const query = new URLSearchParams({ limit: String(limit), page_info: btoa(JSON.stringify(page)) })
  return `<${toSimulatorUrl(request, `${API_PATH}/${name}.json?${query}`)}>; rel="next"`
}
