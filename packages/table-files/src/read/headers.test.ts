import { expect, test } from 'vitest'
import { columnNames } from './headers.ts'

test('names of columns are words', () => {
  expect(columnNames(['Order ID', 'Größe (cm)', 'OrderNo', 'unit-price', '%', 'order_id'])).toEqual([
    'order_id',
    'größe_cm',
    'OrderNo',
    'unit_price',
    'column_5',
    'order_id_2',
  ])
})
