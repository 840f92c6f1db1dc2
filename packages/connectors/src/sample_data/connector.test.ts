import { testConformance } from '@trellis/connector-kit/testing/conformance'
import { readAll } from '@trellis/connector-kit/testing/read-all'
import { createTestContext } from '@trellis/connector-kit/testing/test-context'
import { expect, test } from 'vitest'
import { sampleData } from './connector.ts'
import { TABLES } from './tables.ts'

const values = { shop: { seed: 7, orders_a_year: 1500 } }
const buildQuery = (stream: string) => ({ data: { stream } })

testConformance(
  sampleData,
  TABLES.map(({ name }) => ({ name, values, query: buildQuery(name), minBatches: name === 'order_lines' ? 5 : 1 })),
)

const read = (stream: string, options: Parameters<typeof createTestContext>[0] = {}, more: object = {}) =>
  readAll(sampleData, createTestContext({ values, ...options }), { query: buildQuery(stream), ...more })
const column = (name: string, { fields, rows }: Awaited<ReturnType<typeof read>>) => {
  const at = fields.findIndex((field) => field.name === name)
  return rows.map((row) => row[at])
}

test('the tables belong together', async () => {
  const [customers, products, orders, lines] = [
    await read('customers'),
    await read('products'),
    await read('orders'),
    await read('order_lines'),
  ]
  const known = new Set(column('customer_id', customers))
  expect(column('customer_id', orders).every((id) => known.has(id))).toBe(true)
  const sold = new Set(column('product_id', products))
  expect(column('product_id', lines).every((id) => sold.has(id))).toBe(true)
  expect(new Set(column('order_id', lines))).toEqual(new Set(column('order_id', orders)))
  const [first] = orders.rows
  const sum = lines.rows
    .filter(([order]) => order === first?.[0])
    .reduce((all, row) => all + Number(row[3]) * Number(row[4]), 0)
  expect(Number(first?.[3])).toBeCloseTo(sum, 2)
})

test('another seed is another shop, a larger one has more orders', async () => {
  const own = await read('orders')
  const other = await read('orders', { values: { shop: { seed: 8, orders_a_year: 1500 } } })
  expect(other.rows).not.toEqual(own.rows)
  const larger = await read('orders', { values: { shop: { seed: 7, orders_a_year: 3000 } } })
  expect(Math.abs(larger.rows.length - 2 * own.rows.length)).toBeLessThanOrEqual(1)
})

test('numbers of the last days are restated, older ones are not', async () => {
  const [now, later] = [new Date('2026-11-10T12:00:00Z'), new Date('2026-11-14T12:00:00Z')]
  const before = await read('ad_spend', { now })
  const after = await read('ad_spend', { now: later })
  const changedRows = before.rows.filter((row, index) => String(row) !== String(after.rows[index]))
  const days = changedRows.map(([day]) => String(day))
  expect(days.toSorted()[0]).toBe('2026-11-04')
  expect(days.length).toBeGreaterThan(0)
})

test('a window gives its stretch alone and leaves no state; the chosen days bound a first read', async () => {
  const window = await read('ad_spend', {}, { window: { from: '2026-03-01', to: '2026-03-03' } })
  expect(new Set(column('date', window))).toEqual(new Set(['2026-03-01', '2026-03-02', '2026-03-03']))
  expect(window.finalState).toBeUndefined()
  const dates = { dataTimeframe: 'rangeDates', startDate: '2026-05-01', endDate: '2026-05-02' }
  const chosen = await read('ad_spend', {}, { query: { ...buildQuery('ad_spend'), period: { dates } } })
  expect(new Set(column('date', chosen))).toEqual(new Set(['2026-05-01', '2026-05-02']))
})
