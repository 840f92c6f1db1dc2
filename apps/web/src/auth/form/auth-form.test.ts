import { Login, NewPassword, Signup } from '@trellis/contract/identity/identity.schemas'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withConfirmation } from '../work/new-password.ts'
import { findSchemaErrors } from '../work/schema-errors.ts'
import { isPristine, getVisibleErrors } from './auth-form.ts'
import { PASSWORD_RULES } from '@trellis/contract/identity/password-rules'

test('each field has its first problem, in the words of the schema', () => {
  expect(findSchemaErrors(Login, { email: '', password: '' })).toEqual({
    email: 'Email is required',
    password: 'Password is required',
  })
  expect(findSchemaErrors(Login, { email: 'ada@', password: 'x' })).toEqual({ email: 'Email is not valid' })
  expect(findSchemaErrors(Login, { email: 'ada@example.com', password: 'x' })).toEqual({})
})

test('sign-up rules and the confirmation', () => {
  const validate = withConfirmation(Signup, 'password')
  const good = {
    firstName: 'Ada',
    surname: 'Lovelace',
    email: 'ada@example.com',
    password: 'Secret-123',
    confirm: 'Secret-123',
  }
  expect(validate(good)).toEqual({})
  expect(validate({ ...good, confirm: 'Secret-12' })).toEqual({ confirm: 'Passwords do not match' })
  expect(validate({ ...good, firstName: 'A', password: 'secretsecret', confirm: '' })).toEqual({
    firstName: 'First name must be at least 2 characters long',
    password: 'Password must contain at least a capital letter, a number and a special character',
    confirm: 'Passwords do not match',
  })
})

test('errors wait for touch; what the server refused shows at once', () => {
  const errors = { email: 'Email is required', password: 'Password is required' }
  expect(getVisibleErrors(errors, {}, new Set())).toEqual({})
  expect(getVisibleErrors(errors, {}, new Set(['email']))).toEqual({ email: 'Email is required' })
  expect(getVisibleErrors({}, { code: 'Expired' }, new Set())).toEqual({ code: 'Expired' })
})

test('a form is pristine while nothing has been entered', () => {
  expect(isPristine({ email: '', password: '' })).toBe(true)
  expect(isPristine({ email: '', password: ' ' })).toBe(false)
})

test('the checklist is complete exactly when the password is accepted', () => {
  const piece = fc.constantFrom('a', 'Z', '7', '-', ' ', 'É', '漢', '٣', '€')
  const password = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(password, (text) => {
      expect(PASSWORD_RULES.every(({ isMet }) => isMet(text))).toBe(NewPassword.safeParse(text).success)
    }),
  )
})
