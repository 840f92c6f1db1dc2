import { expect, test } from 'vitest'
import { guessInsertTable } from './insert-table.ts'

test.each([
  ['select * from shop.orders where id = 1', 'shop.orders'],
  ['select * from "My Shop"."or""ders"', '"My Shop"."or""ders"'],
  ['select * from a join b on true', 'my_table'],
  ["select 'from x' -- from y\nfrom z", 'z'],
  ['select * from generate_series(1, 3)', 'my_table'],
  ['select 1', 'my_table'],
])('%s goes into %s', (sql, table) => {
  expect(guessInsertTable(sql)).toBe(table)
})
