import type { FormaElement } from '@trellis/contract/formas/forma'
import { expect, test } from 'vitest'
import { fakeIntegration, createPlatforms } from '../../testing/fake-integrations.ts'
import { foundPlatforms, tagCounts } from './catalogue/catalogue-filter.ts'
import { describeExpiry, describeKinds, describeState, findTrouble } from './integration-words.ts'
import { needsConsent } from '../../connecting/oauth-words.ts'
import { findDifferences } from './update/differences.ts'

const NOW = new Date('2026-11-15T12:00:00Z')

test('the end of consent is said ahead, not long before and not only after', () => {
  expect(describeExpiry(null, NOW)).toBeNull()
  expect(describeExpiry('2027-01-15T12:00:00Z', NOW)).toBeNull()
  expect(describeExpiry('2026-11-20T12:00:00Z', NOW)).toBe('Consent ends in 5 days; give it again before that.')
  expect(describeExpiry('2026-11-16T12:00:00Z', NOW)).toContain('1 day;')
  expect(describeExpiry('2026-11-14T12:00:00Z', NOW)).toContain('has expired')
})

test('a state is told by what is missing', () => {
  const waiting = { is_linked: false, linked_as: null, linked_at: null, expires_at: null }
  expect(describeState(fakeIntegration({ state: 'SETUP', oauth: waiting })).text).toBe('Waiting for consent')
  expect(findTrouble(fakeIntegration({ state: 'SETUP', oauth: waiting }), NOW)).toBe('Consent is missing.')
  expect(findTrouble(fakeIntegration({ state: 'SETUP' }), NOW)).toBe('Some settings are missing.')
  expect(findTrouble(fakeIntegration(), NOW)).toBeNull()
  expect(describeKinds(['Extraction', 'Load'])).toBe('Source and destination')
})

test('the catalogue is found by words in any order, names first', () => {
  const names = (search: string, tag: string | null = null) =>
    foundPlatforms(createPlatforms(), search, tag).map(({ name }) => name)
  expect(names('')).not.toContain('Trellis database')
  expect(names('costs clicks')).toEqual(['Google Ads'])
  expect(names('s')[0]).toBe('Sample data')
  expect(names('', 'database')).toEqual(['PostgreSQL'])
  expect(tagCounts(createPlatforms(), ['database', 'crm'])).toEqual([{ tag: 'database', count: 1 }])
})

test('two versions are compared in the words of the form, without secrets', () => {
  const { forma } = fakeIntegration()
  const mine = { server: { host: 'a', tls: 'require' }, login: { password: 'x' } }
  const theirs = { server: { host: 'b', tls: 'verify' }, login: {} }
  expect(findDifferences(forma, mine, theirs)).toEqual([
    { label: 'Host', mine: 'a', theirs: 'b' },
    { label: 'Encryption', mine: 'Required', theirs: 'Required, certificate checked' },
  ])
})

test('consent is needed where OAuth is chosen, unless a token was pasted', () => {
  const link: FormaElement = {
    reference: 'link',
    order: 1,
    label: 'Link',
    data_type: 'str',
    type: 'oauth_link',
    properties: { provider: 'G', scopes: [] },
  }
  const section = { reference: 'consent', order: 1, title: 'Consent', is_required: false }
  const forma = { forma_trellis_code: 'ads', title: 'Ads', sections: [{ ...section, elements: [link] }] }
  expect(needsConsent(forma, { token: {} })).toBe(true)
  expect(needsConsent(forma, { token: { refresh_token: 'x' } })).toBe(false)
  const shown_when = { section: 'account', element: 'method', values: ['oauth'] }
  const selected = { ...forma, sections: [{ ...section, elements: [{ ...link, shown_when }] }] }
  expect(needsConsent(selected, { account: { method: 'token' } })).toBe(false)
  expect(needsConsent(selected, { account: { method: 'oauth' } })).toBe(true)
  expect(needsConsent({ ...forma, sections: [] }, {})).toBe(false)
})
