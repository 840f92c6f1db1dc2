import { expect, test } from 'vitest'
import { MAX_SEND_ATTEMPTS, isPermanent, formatError, waitAfter } from './smtp-failure.ts'

test.each([
  ['an unknown mailbox', { code: 'EENVELOPE', responseCode: 550 }, true],
  ['a refused text', { code: 'EMESSAGE', responseCode: 554 }, true],
  ['a full mailbox', { code: 'EENVELOPE', responseCode: 452 }, false],
  ['greylisting', { code: 'EENVELOPE', responseCode: 451 }, false],
  ['a wrong password, which the operator can put right', { code: 'EAUTH', responseCode: 535 }, false],
  ['a closed port', { code: 'ESOCKET' }, false],
  ['a refused greeting', { code: 'EPROTOCOL', responseCode: 554 }, false],
  ['an error that is none', undefined, false],
])('%s', (_, error, expected) => {
  expect(isPermanent(error ?? {})).toBe(expected)
})

test('waits grow, and all tries fit into an hour', () => {
  const waits = Array.from({ length: MAX_SEND_ATTEMPTS - 1 }, (_, index) => waitAfter(index + 1))
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(3600)
  expect(MAX_SEND_ATTEMPTS).toBe(8)
})

test('a reason is one short line', () => {
  expect(formatError(new Error(`a\r\nb ${'x'.repeat(900)}`))).toMatch(/^a b x{495,}$/)
})
