import { expect, test } from 'vitest'
import { getTab } from './settings-tab.ts'

const all = ['details', 'members', 'billing', 'plan-utilization']

test('the tab stands in the query', () => {
  expect(getTab({ query: 'plan-utilization', path: undefined }, all)).toBe('plan-utilization')
  expect(getTab({ query: null, path: undefined }, all)).toBe('details')
})

test('a tab in the path is followed', () => {
  expect(getTab({ query: null, path: 'members' }, all)).toBe('members')
  expect(getTab({ query: 'billing', path: 'members' }, all)).toBe('members')
})

test('unknown tabs and those one may not see fall back to the details', () => {
  expect(getTab({ query: 'Members', path: undefined }, all)).toBe('details')
  expect(getTab({ query: null, path: 'nowhere' }, all)).toBe('details')
  expect(getTab({ query: 'billing', path: undefined }, ['details', 'members'])).toBe('details')
})
