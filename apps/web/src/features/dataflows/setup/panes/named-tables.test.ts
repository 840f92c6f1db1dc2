import { expect, test } from 'vitest'
import { listNamedTables } from './named-tables.ts'

const table = (name: string) => ({ name, kind: 'table' as const, rows: null })
const schemas = [
  { name: 'data', is_cut: false, tables: [table('orders'), table('customers')] },
  { name: 'ads', is_cut: false, tables: [table('spend'), table('orders')] },
]

test('tables are found by their full name, in the home schema also by their own', () => {
  const names = (sql: string) => listNamedTables(sql, schemas).map(({ schema, table: name }) => `${schema}.${name}`)
  expect(names('select * from orders o join Ads.Spend s using (day)')).toEqual(['data.orders', 'ads.spend'])
  expect(names('select * from "ads"."orders"')).toEqual(['ads.orders'])
  expect(names('select spend from nothing')).toEqual([])
})
