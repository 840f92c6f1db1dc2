import { expect, test } from 'vitest'
import { canSubmit, toFieldName, shownError } from './form-rules.ts'

const ready = { isValid: true, isDirty: true, isSubmitting: false }

test('a form can be sent only when valid, changed, idle and enabled', () => {
  expect(canSubmit(ready)).toBe(true)
  expect(canSubmit({ ...ready, isValid: false })).toBe(false)
  expect(canSubmit({ ...ready, isDirty: false })).toBe(false)
  expect(canSubmit({ ...ready, isSubmitting: true })).toBe(false)
  expect(canSubmit({ ...ready, isDisabled: true })).toBe(false)
})

test('errors wait for a touch', () => {
  expect(shownError(false, 'Email is required')).toBeUndefined()
  expect(shownError(undefined, 'Email is required')).toBeUndefined()
  expect(shownError(true, 'Email is required')).toBe('Email is required')
})

test('a JSON pointer names the field', () => {
  expect(toFieldName('/new_password')).toBe('new_password')
  expect(toFieldName('/preferences/themeMode')).toBe('preferences.themeMode')
  expect(toFieldName('/a~1b')).toBe('a/b')
  expect(toFieldName('')).toBeUndefined()
  expect(toFieldName(undefined)).toBeUndefined()
})
