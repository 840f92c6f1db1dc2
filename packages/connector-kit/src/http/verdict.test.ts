import { expect, test } from 'vitest'
import { maskSecrets } from './mask.ts'
import { parseRetryAfter, quoteErrorMessage, classifyByStatus } from './verdict.ts'

const answer = (status: number, text = '', headers: Record<string, string> = {}) => ({
  status,
  text,
  headers: new Headers(headers),
})

test.each([
  [200, 'ok'],
  [204, 'ok'],
  [301, 'configuration'],
  [400, 'configuration'],
  [401, 'configuration'],
  [403, 'configuration'],
  [404, 'configuration'],
  [408, 'transient'],
  [429, 'rate_limited'],
  [500, 'transient'],
  [503, 'transient'],
])('%i is %s', (status, kind) => {
  expect(classifyByStatus(answer(status), 'Shop').kind).toBe(kind)
})

test('waiting is asked for in seconds or until an instant', () => {
  const now = Date.parse('2026-11-10T12:00:00Z')
  expect(parseRetryAfter('7', now)).toBe(7000)
  expect(parseRetryAfter('Tue, 10 Nov 2026 12:00:30 GMT', now)).toBe(30_000)
  expect(parseRetryAfter('Tue, 10 Nov 2026 11:00:00 GMT', now)).toBe(0)
  expect(parseRetryAfter('soon', now)).toBeUndefined()
  expect(parseRetryAfter('', now)).toBeUndefined()
  expect(parseRetryAfter(null, now)).toBeUndefined()
})

test.each([
  ['{"message":"no such thing"}', ' It said: no such thing'],
  ['{"error":{"message":"inner"}}', ' It said: inner'],
  ['{"errors":[{"detail":"first"},{"detail":"second"}]}', ' It said: first'],
  ['{"error":"invalid_grant","error_description":"ended"}', ' It said: ended'],
  ['<html>', ''],
  ['{}', ''],
  [JSON.stringify({ message: 'x'.repeat(500) }), ` It said: ${'x'.repeat(200)}…`],
])('of %s only the sentence is passed on', (text, said) => {
  expect(quoteErrorMessage(text)).toBe(said)
})

test('secrets are masked in every spelling, the longer one first', () => {
  const secrets = ['p+l/a n"t', 'p+l/a n"ted']
  const spellings = ['p+l/a n"ted', 'p%2Bl%2Fa%20n%22ted', 'p%2Bl%2Fa+n%22ted', 'p+l/a n\\"ted'].join(' and ')
  expect(maskSecrets(spellings, secrets)).toBe('••• and ••• and ••• and •••')
  expect(maskSecrets('an empty one masks nothing', ['', 'a'])).toBe('an empty one masks nothing')
})
