import type { Forma } from '@trellis/contract/formas/forma'
import { expect, test } from 'vitest'
import { assertEntered } from './settings-values.ts'

const secret = (reference: string, label: string) =>
  ({ reference, label, order: 1, type: 'secret', data_type: 'str', properties: {} }) as const
const forma: Forma = {
  forma_trellis_code: 'a',
  title: 'A',
  sections: [
    {
      reference: 'login',
      order: 1,
      title: 'Login',
      is_required: true,
      elements: [secret('key', 'Access key'), secret('password', 'Password')],
    },
  ],
}
const kept = { 'login.key': 'k', 'login.password': 'p' }

test('every kept secret that has to be entered again is named at once', () => {
  expect(() => assertEntered(forma, kept, {})).toThrow('Enter these again: Access key and Password.')
  expect(() => assertEntered(forma, kept, { login: { key: 'new' } })).toThrow(/^Enter this again/)
  expect(() => assertEntered(forma, kept, { login: { key: 'new', password: 'new' } })).not.toThrow()
})
