import { expect, test } from 'vitest'
import type { Completion } from './code-editor-props.ts'
import { fittingCompletions } from './completions.ts'

const all: Completion[] = [
  { label: 'shop.orders', kind: 'table' },
  { label: 'shop.customers', kind: 'table' },
  { label: 'ads.spend', kind: 'table' },
  { label: 'order_id', kind: 'column' },
]
const labels = (before: string) => fittingCompletions(before, all).fitting.map(({ label }) => label)

test('everything can be chosen where a word begins', () => {
  expect(labels('select ')).toEqual(['shop.orders', 'shop.customers', 'ads.spend', 'order_id'])
  expect(fittingCompletions('select ord', all).typed).toBe('ord')
})

test('behind a schema stand its tables, behind anything else the columns', () => {
  expect(labels('from shop.')).toEqual(['orders', 'customers', 'order_id'])
  expect(labels('from SHOP.or')).toEqual(['orders', 'customers', 'order_id'])
  expect(labels('select o.')).toEqual(['order_id'])
})
