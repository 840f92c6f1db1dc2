import { expect, test } from 'vitest'
import { isSame, valueAt, withValueAt } from './form-values.ts'

const values = { name: 'Ada', preferences: { themeMode: 'light', size: 2 }, scopes: ['read'] }

test('a name with points leads into the members', () => {
  expect(valueAt(values, 'name')).toBe('Ada')
  expect(valueAt(values, 'preferences.themeMode')).toBe('light')
  expect(valueAt(values, 'nothing.here')).toBeUndefined()
})

test('a changed value leaves the rest and the old values alone', () => {
  expect(withValueAt(values, 'preferences.themeMode', 'dark')).toEqual({
    ...values,
    preferences: { themeMode: 'dark', size: 2 },
  })
  expect(values.preferences.themeMode).toBe('light')
  expect(withValueAt({}, 'a.b', 1)).toEqual({ a: { b: 1 } })
})

test('values are compared by what they hold', () => {
  expect(isSame(values, structuredClone(values))).toBe(true)
  expect(isSame(values, withValueAt(values, 'scopes', []))).toBe(false)
})
