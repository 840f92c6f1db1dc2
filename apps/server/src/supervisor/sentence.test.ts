import { startError } from '@trellis/embedded/postgres/start-problem'
import { expect, test } from 'vitest'
import { ConfigProblem } from '../platform/config.ts'
import { firstScreen } from './first-screen.ts'
import { findSentence } from './sentence.ts'

const config = { host: '127.0.0.1', port: 80, home: '/data' }
const failure = (fields: object) => Object.assign(new Error('raw'), fields)

test.each([
  [startError('The lock is held.'), 'The lock is held.'],
  [new ConfigProblem('TRELLIS_PORT is not valid.'), 'TRELLIS_PORT is not valid.'],
  [failure({ code: 'EADDRINUSE', syscall: 'listen' }), 'Port 80 is in use.'],
  [failure({ code: 'EACCES', syscall: 'listen' }), 'Port 80 needs more rights'],
  [failure({ code: 'EADDRNOTAVAIL', syscall: 'listen' }), '127.0.0.1 is not an address of this machine.'],
  [failure({ code: 'ENOTFOUND', hostname: '127.0.0.1' }), '127.0.0.1 is not an address of this machine.'],
  [failure({ code: 'ENOTFOUND', hostname: 'db.example.com' }), 'that host is not known'],
  [failure({ code: '28P01' }), 'refused the sign-in'],
  [failure({ code: '3D000' }), 'does not exist'],
  [new Error('Migration failed', { cause: failure({ code: '53100' }) }), 'is full'],
])('%s becomes a sentence', (error, expected) => {
  expect(findSentence(error, config)).toContain(expected)
})

test('a failure nobody foresaw is not dressed up', () => {
  expect(findSentence(new TypeError('x is not a function'), config)).toBeUndefined()
  expect(findSentence('odd', config)).toBeUndefined()
})

test('the demo password is on the first screen only when it was just made', () => {
  const facts = { config: { publicUrl: 'http://localhost:4600', home: '/data' }, milliseconds: 1234 }
  const first = firstScreen({
    ...facts,
    info: { demo: { email: 'demo@trellis.local', password: 'made-just-now' } },
  }).join('\n')
  const later = firstScreen({ ...facts, info: { demo: { email: 'demo@trellis.local' } } }).join('\n')
  const none = firstScreen({ ...facts, info: {} }).join('\n')
  expect(first).toContain('made-just-now')
  expect(later).toContain('as shown at the first start')
  expect(none).not.toMatch(/Sign in|Mailbox/)
})
