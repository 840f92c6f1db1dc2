import { expect, test } from 'vitest'
import { buildExampleQuestions } from './example-questions.ts'

test('names of tables become questions, each name once', () => {
  const tables = ['order_items', 'customers', 'customers'].map((table_name) => ({ table_name }))
  expect(buildExampleQuestions(tables)).toEqual([
    'How many order items?',
    'How many customers?',
    'Number of order items by month',
  ])
  expect(buildExampleQuestions([])).toEqual([])
})

test('names of things that are counted come first', () => {
  const tables = ['customers', 'daily_revenue', 'orders'].map((table_name) => ({ table_name }))
  expect(buildExampleQuestions(tables)).toEqual([
    'How many customers?',
    'How many orders?',
    'Number of customers by month',
  ])
})
