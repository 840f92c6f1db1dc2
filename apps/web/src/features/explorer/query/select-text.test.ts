import { expect, test } from 'vitest'
import { buildSelect, findFreeName } from './select-text.ts'

test('columns are named, and quoted only where they have to be', () => {
  expect(buildSelect({ schema: 'shop', name: 'Orders', columns: ['id', 'user', 'Order Date'] })).toBe(
    'select id, "user", "Order Date"\nfrom shop."Orders"\nlimit 100;\n',
  )
})

test('many columns stand on a line each, very many are a star', () => {
  const columns = Array.from({ length: 20 }, (_, at) => `column_${at}`)
  expect(buildSelect({ schema: 'data', name: 'wide', columns })).toContain('select\n  column_0,\n  column_1,\n')
  const many = Array.from({ length: 61 }, (_, at) => `c${at}`)
  expect(buildSelect({ schema: 'data', name: 'wide', columns: many })).toContain('select *\n')
  expect(buildSelect({ schema: 'data', name: 'empty', columns: [] })).toContain('select *\n')
})

test('a worksheet takes the name of the table, numbered when it is taken', () => {
  expect(findFreeName('orders', [])).toBe('orders.sql')
  expect(findFreeName('orders', ['Orders.sql', 'orders 2.sql'])).toBe('orders 3.sql')
  expect(findFreeName('a/b:c?.', [])).toBe('a_b_c_.sql')
  expect(findFreeName('...', [])).toBe('table.sql')
})
