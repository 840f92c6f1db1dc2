import type { ColumnType } from '@trellis/contract/explorer/column-types'
import type { Value } from '@trellis/connector-kit/batch'
import { toEmail, pickFirstName, pickLastName } from '../shared/dice.ts'
import * as shops from './shop.ts'
import {
  CAMPAIGNS,
  DAY,
  OPENED,
  PRODUCTS,
  RESTATED_DAYS,
  SETTLED_DAYS,
  type Shop,
  toDay,
  toIso,
  formatMoney,
} from './shop.ts'

/** A table is a numbered sequence of entities, each of which gives its rows as of a time. */
export interface Table {
  readonly name: string
  readonly title: string
  readonly fields: readonly (readonly [string, ColumnType])[]
  readonly key: readonly string[]
  readonly cursor: string
  readonly lookbackDays: number
  count(shop: Shop, now: number): number
  firstSince(shop: Shop, since: number): number
  changedAt(shop: Shop, index: number, now: number): number
  rowsAt(shop: Shop, index: number, now: number): Value[][]
}

const COUNTRIES = ['AT', 'CH', 'DE', 'ES', 'FR', 'IT', 'NL', 'PL'] as const
const KINDS = ['Lamp', 'Chair', 'Shelf', 'Rug', 'Vase', 'Clock'] as const
const CUSTOMER_EVERY = 4
const customersUntil = (shop: Shop, now: number) => Math.ceil(shops.countOrders(shop, now) / CUSTOMER_EVERY)

const customers: Table = {
  name: 'customers',
  title: 'Customers',
  fields: [
    ['customer_id', 'integer'],
    ['first_name', 'text'],
    ['last_name', 'text'],
    ['email', 'text'],
    ['country', 'text'],
    ['is_subscribed', 'boolean'],
    ['created_at', 'timestamptz'],
    ['updated_at', 'timestamptz'],
  ],
  key: ['customer_id'],
  cursor: 'updated_at',
  lookbackDays: 0,
  count: customersUntil,
  firstSince: () => 0,
  changedAt: (shop, index, now) => customerChange(shop, index, now).changed,
  rowsAt(shop, index, now) {
    const { dice } = shop
    const id = index + 1
    const { created, changed, hasMoved } = customerChange(shop, index, now)
    const [first, last] = [pickFirstName(dice, id), pickLastName(dice, id)]
    const country = dice.pick(COUNTRIES, hasMoved ? 'moved' : 'country', id)
    const isSubscribed = dice.fraction('subscribed', id) < 0.4
    return [[id, first, last, toEmail(first, last, id), country, isSubscribed, toIso(created), toIso(changed)]]
  },
}

function customerChange(shop: Shop, index: number, now: number) {
  const created = shops.getCreatedAt(shop, index * CUSTOMER_EVERY + 1)
  const moved = created + (20 + shop.dice.whole(300, 'move', index)) * DAY
  const hasMoved = moved <= now && shop.dice.fraction('moves', index) < 0.3
  return { created, hasMoved, changed: hasMoved ? moved : created }
}

const products: Table = {
  name: 'products',
  title: 'Products',
  fields: [
    ['product_id', 'integer'],
    ['name', 'text'],
    ['kind', 'text'],
    ['price', 'decimal'],
    ['attributes', 'json'],
    ['updated_at', 'timestamptz'],
  ],
  key: ['product_id'],
  cursor: 'updated_at',
  lookbackDays: 0,
  count: (_shop, now) => (now >= OPENED ? PRODUCTS : 0),
  firstSince: () => 0,
  changedAt: (_shop, index) => OPENED + index * 60_000,
  rowsAt({ dice }, index) {
    const id = index + 1
    const kind = dice.pick(KINDS, 'kind', id)
    const attributes = JSON.stringify({
      colour: dice.pick(['oak', 'white', 'black'], 'colour', id),
      weight: 1 + dice.whole(20, 'kg', id),
    })
    return [
      [
        id,
        `${kind} ${id}`,
        kind,
        formatMoney(shops.computePrice(dice, id)),
        attributes,
        toIso(OPENED + index * 60_000),
      ],
    ]
  },
}

const ofOrders = {
  cursor: 'updated_at',
  lookbackDays: 0,
  count: (shop: Shop, now: number) => shops.countOrders(shop, now),
  firstSince: (shop: Shop, since: number) => shops.findFirstOrder(shop, since - SETTLED_DAYS * DAY) - 1,
  changedAt: (shop: Shop, index: number, now: number) => shops.orderState(shop, index + 1, now).updatedAt,
}

const orders: Table = {
  ...ofOrders,
  name: 'orders',
  title: 'Orders',
  fields: [
    ['order_id', 'integer'],
    ['customer_id', 'integer'],
    ['status', 'text'],
    ['total', 'decimal'],
    ['coupon', 'text'],
    ['created_at', 'timestamptz'],
    ['updated_at', 'timestamptz'],
  ],
  key: ['order_id'],
  rowsAt(shop, index, now) {
    const id = index + 1
    const created = shops.getCreatedAt(shop, id)
    const { status, updatedAt } = shops.orderState(shop, id, now)
    const customer = 1 + shop.dice.whole(Math.max(1, customersUntil(shop, created)), 'customer', id)
    const cents = shops.createLines(shop, id).reduce((sum, line) => sum + line.quantity * line.cents, 0)
    const coupon = shop.dice.fraction('coupon', id) < 0.15 ? 'WELCOME' : null
    return [[id, customer, status, formatMoney(cents), coupon, toIso(created), toIso(updatedAt)]]
  },
}

const orderLines: Table = {
  ...ofOrders,
  name: 'order_lines',
  title: 'Order lines',
  fields: [
    ['order_id', 'integer'],
    ['line', 'integer'],
    ['product_id', 'integer'],
    ['quantity', 'integer'],
    ['price', 'decimal'],
    ['updated_at', 'timestamptz'],
  ],
  key: ['order_id', 'line'],
  rowsAt(shop, index, now) {
    const id = index + 1
    const { updatedAt } = shops.orderState(shop, id, now)
    return shops
      .createLines(shop, id)
      .map(({ product, quantity, cents }, at) => [id, at + 1, product, quantity, formatMoney(cents), toIso(updatedAt)])
  },
}

const adSpend: Table = {
  name: 'ad_spend',
  title: 'Ad spend',
  fields: [
    ['date', 'date'],
    ['campaign_id', 'integer'],
    ['campaign', 'text'],
    ['impressions', 'integer'],
    ['clicks', 'integer'],
    ['cost', 'decimal'],
    ['conversions', 'decimal'],
  ],
  key: ['date', 'campaign_id'],
  cursor: 'date',
  lookbackDays: RESTATED_DAYS,
  count: (_shop, now) => Math.max(0, Math.floor((now - OPENED) / DAY) + 1) * CAMPAIGNS.length,
  firstSince: (_shop, since) => Math.max(0, Math.floor((since - OPENED) / DAY)) * CAMPAIGNS.length,
  changedAt: (_shop, index) => OPENED + Math.floor(index / CAMPAIGNS.length) * DAY,
  rowsAt({ dice, ordersAYear }, index, now) {
    const day = Math.floor(index / CAMPAIGNS.length)
    const campaign = index % CAMPAIGNS.length
    const age = Math.floor((now - OPENED) / DAY) - day
    const arrived = age >= RESTATED_DAYS ? 1 : (age + 1) / (RESTATED_DAYS + 1)
    const clicks = 20 + dice.whole(Math.ceil(ordersAYear / 300), 'clicks', day, campaign)
    const conversions = (clicks * (2 + dice.whole(5, 'rate', day, campaign)) * arrived) / 100
    const name = CAMPAIGNS[campaign] ?? ''
    const cost = clicks * (30 + dice.whole(60, 'cpc', day, campaign))
    return [
      [toDay(OPENED + day * DAY), campaign + 1, name, clicks * 31, clicks, formatMoney(cost), conversions.toFixed(2)],
    ]
  },
}

export const TABLES: readonly Table[] = [customers, products, orders, orderLines, adSpend]
