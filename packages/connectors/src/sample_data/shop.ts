import { type Dice, createRandom } from '../shared/dice.ts'

export const DAY = 86_400_000
/** Ids and times count from here and never change. */
export const OPENED = Date.parse('2025-01-01T00:00:00Z')
export const SETTLED_DAYS = 12
export const RESTATED_DAYS = 7

export interface Shop {
  readonly dice: Dice
  readonly ordersAYear: number
  readonly interval: number
}

export function createShop(seed: number, ordersAYear: number): Shop {
  return { dice: createRandom(seed), ordersAYear, interval: (365 * DAY) / ordersAYear }
}

export const getCreatedAt = ({ interval }: Shop, order: number) => Math.floor(OPENED + order * interval)
export const countOrders = ({ interval }: Shop, now: number) => Math.max(0, Math.floor((now - OPENED) / interval))
export const findFirstOrder = ({ interval }: Shop, instant: number) =>
  Math.max(1, Math.ceil((instant - OPENED) / interval))

const STEPS = [
  ['placed', 0],
  ['paid', 0.2],
  ['shipped', 1.5],
  ['delivered', 4],
] as const

export interface OrderState {
  readonly status: string
  readonly updatedAt: number
}

export function orderState(shop: Shop, order: number, now: number): OrderState {
  const created = getCreatedAt(shop, order)
  const pace = 0.5 + shop.dice.fraction('pace', order)
  const isReturned = shop.dice.fraction('returned', order) < 0.07
  const steps = isReturned ? [...STEPS, ['returned', 7] as const] : STEPS
  let state: OrderState = { status: 'placed', updatedAt: created }
  for (const [status, days] of steps) {
    const at = Math.floor(created + days * pace * DAY)
    if (at <= now) state = { status, updatedAt: at }
  }
  return state
}

export const PRODUCTS = 120
export const CAMPAIGNS = ['Search brand', 'Search generic', 'Shopping', 'Social', 'Newsletter'] as const

export interface Line {
  readonly product: number
  readonly quantity: number
  readonly cents: number
}

export function createLines({ dice }: Shop, order: number): Line[] {
  return Array.from({ length: 1 + dice.whole(4, 'lines', order) }, (_, index) => {
    const product = 1 + dice.whole(PRODUCTS, 'product', order, index)
    return { product, quantity: 1 + dice.whole(3, 'quantity', order, index), cents: computePrice(dice, product) }
  })
}

export const computePrice = (dice: Dice, product: number) => 490 + 100 * dice.whole(120, 'price', product)
export const formatMoney = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
export const toIso = (instant: number) => new Date(instant).toISOString()
export const toDay = (instant: number) => toIso(instant).slice(0, 10)
