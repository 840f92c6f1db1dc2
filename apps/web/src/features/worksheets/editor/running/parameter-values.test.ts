import { expect, test } from 'vitest'
import { chooseParameters, guessType, parseParameters } from './parameter-values.ts'

test('a type is guessed from the name', () => {
  expect(['first_day', 'created_at', 'customer_id', 'amount', 'is_open', 'status'].map(guessType)).toEqual([
    'date',
    'timestamptz',
    'integer',
    'numeric',
    'boolean',
    'text',
  ])
})

test('only what the text names is sent, and an empty number is NULL', () => {
  const known = { status: { type: 'text' as const, value: 'paid' }, old: { type: 'text' as const, value: 'x' } }
  expect(chooseParameters(['status', 'customer_id', 'note'], known)).toEqual({
    status: { type: 'text', value: 'paid' },
    customer_id: { type: 'integer', value: null },
    note: { type: 'text', value: '' },
  })
})

test('what was stored is read, whatever it is', () => {
  expect(parseParameters('{"a":{"type":"date","value":"2026-01-01"},"b":{"type":"odd","value":"x"},"c":null}')).toEqual(
    {
      a: { type: 'date', value: '2026-01-01' },
    },
  )
  for (const text of [null, '{', '5', '"x"']) expect(parseParameters(text)).toEqual({})
})
