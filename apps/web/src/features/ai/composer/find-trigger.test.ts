import { expect, test } from 'vitest'
import { filterSuggestions, findTrigger } from './find-trigger.ts'

test.each([
  ['/', { kind: 'action', inputText: '', start: 0 }],
  ['/view_t', { kind: 'action', inputText: 'view_t', start: 0 }],
  ['/view_table ', { kind: 'argument', action: 'view_table', inputText: '', start: 12 }],
  ['/view_table shop.or', { kind: 'argument', action: 'view_table', inputText: 'shop.or', start: 12 }],
  ['/unheard_of x', null],
  ['how many @', { kind: 'resource', inputText: '', start: 9 }],
  ['how many @shop.or', { kind: 'resource', inputText: 'shop.or', start: 9 }],
  ['mail a@b', null],
  ['1 / 2', null],
  ['orders', null],
])('%s', (text, trigger) => expect(findTrigger(text, text.length)).toEqual(trigger))

test('only what stands before the caret counts', () => {
  expect(findTrigger('@sh by status', 3)).toEqual({ kind: 'resource', inputText: 'sh', start: 0 })
})

test('names that begin with what was typed come first', () => {
  const named = (label: string) => ({ id: label, label, note: '', insert: label })
  const all = ['shop.reorders', 'shop.orders', 'shop.customers'].map((label) => named(label))
  expect(filterSuggestions(all, 'orders').map(({ label }) => label)).toEqual(['shop.orders', 'shop.reorders'])
})
