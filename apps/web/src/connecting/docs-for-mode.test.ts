import type { Forma, FormaElement } from '@trellis/contract/formas/forma'
import { expect, test } from 'vitest'
import { getDocsMode, selectDocs } from './docs-for-mode.ts'

const DOCS = [
  '# Shop\n\nReads orders.\n\n',
  '## Connect with an access token\n\nCopy the token.\n\n',
  '## Connect with OAuth\n\nRegister an app.\n\n',
  '## Connect with sample data\n\nNothing is asked for.\n\n',
  '## How it is read\n\nIn order.\n',
].join('')

test.each([
  ['token', 'Copy the token.'],
  ['oauth', 'Register an app.'],
  ['sample', 'Nothing is asked for.'],
] as const)('with %s only its way to connect is shown', (mode, own) => {
  const text = selectDocs(DOCS, mode, 'Shop')
  const ways = ['Copy the token.', 'Register an app.', 'Nothing is asked for.']
  expect(ways.filter((way) => text.includes(way))).toEqual([own])
  expect(text).toContain('Reads orders.')
  expect(text).toContain('## How it is read')
})

test('with sample data no platform asks to prepare an account', () => {
  const text = selectDocs(
    '# Ads\n\nReads ads.\n\n## Before you begin\n\nRegister an app.\n\n## Reports\n\nBy day.\n',
    'sample',
    'Ads',
  )
  expect(text).not.toContain('Register an app.')
  expect(text).toContain('Trellis answers in the place of Ads.')
  expect(text).toContain('## Reports')
})

test('a platform with one way to connect keeps its documentation', () => {
  expect(selectDocs(DOCS, null, 'Shop')).toBe(DOCS)
})

test('the mode is the method chosen in the form, unless sample data is', () => {
  const method: FormaElement = {
    reference: 'method',
    order: 1,
    label: 'Sign in with',
    data_type: 'str',
    type: 'select',
    properties: { options: [] },
  }
  const section = { reference: 'shop', order: 1, title: 'Shop', is_required: true, elements: [method] }
  const forma: Forma = { forma_trellis_code: 'shop_setup', title: 'Shop', sections: [section] }
  expect(getDocsMode(forma, { shop: { method: 'oauth' } }, false)).toBe('oauth')
  expect(getDocsMode(forma, { shop: { method: 'token' } }, true)).toBe('sample')
  expect(getDocsMode({ ...forma, sections: [] }, {}, false)).toBeNull()
})
