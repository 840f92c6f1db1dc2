import { expect, test } from 'vitest'
import { tabOf } from './settings-tab.ts'

const all = ['details', 'members', 'billing', 'plan-utilization']

test('the tab stands in the query', () => {
  expect(tabOf({ query: 'plan-utilization', path: undefined }, all)).toBe('plan-utilization')
  expect(tabOf({ query: null, path: undefined }, all)).toBe('details')
})

test('a tab in the path is followed', () => {
  expect(tabOf({ query: null, path: 'members' }, all)).toBe('members')
  expect(tabOf({ query: 'billing', path: 'members' }, all)).toBe('members')
})

test('unknown tabs and those one may not see fall back to the details', () => {
  expect(tabOf({ query: 'Members', path: undefined }, all)).toBe('details')
  expect(tabOf({ query: null, path: 'nowhere' }, all)).toBe('details')
  expect(tabOf({ query: 'billing', path: undefined }, ['details', 'members'])).toBe('details')
})
