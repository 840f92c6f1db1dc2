import { NewWorkspaceAddress } from '@trellis/contract/accounts/names'
import fc from 'fast-check'
import * as z from 'zod/mini'
import { expect, test } from 'vitest'
import { suggestedAddress } from './suggested-address.ts'

test('reads like the name', () => {
  expect(suggestedAddress('Supply chain')).toBe('supplychain')
  expect(suggestedAddress('Café Zürich_2')).toBe('cafezurich2')
  expect(suggestedAddress('東京')).toBe('')
})

test('whatever is suggested is a valid address, unless it is empty or one of our own words', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      const address = suggestedAddress(name)
      fc.pre(address !== '')
      const parsed = z.safeParse(NewWorkspaceAddress, address)
      expect(parsed.success || /used by the product/.test(parsed.error.issues[0]?.message ?? '')).toBe(true)
    }),
  )
})
