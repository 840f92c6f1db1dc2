import { expect, test } from 'vitest'
import { createScrub } from './scrub.ts'

const SECRET = 'p@ss word/+ü"x'

test.each([
  ['as it is', SECRET],
  ['in an address', encodeURIComponent(SECRET)],
  ['in a form', new URLSearchParams({ s: SECRET }).toString().slice(2)],
  ['in JSON', JSON.stringify({ a: SECRET }).slice(6, -2)],
  ['in basic authentication', Buffer.from(`user:${SECRET}`).toString('base64')],
  ['in basic authentication of another name', Buffer.from(`u:${SECRET}:`).toString('base64')],
])('a secret %s is taken out', (_, form) => {
  const text = createScrub([SECRET]).text(`it said <${form}>.`)
  expect(text).not.toContain(form)
  expect(text).toContain('it said <')
})

test('whatever holds texts is gone through', () => {
  const scrub = createScrub(['first-secret'])
  scrub.add('second-secret')
  const value = { a: ['x first-secret', { 'second-secret': 1 }], b: null, c: 3, d: true }
  expect(scrub.deep(value)).toEqual({ a: ['x •••', { '•••': 1 }], b: null, c: 3, d: true })
})

test('a secret that holds another goes whole, and a very short one stays', () => {
  expect(createScrub(['secret', 'secret-longer']).text('a secret-longer b')).toBe('a ••• b')
  expect(createScrub(['a', '']).text('a banana')).toBe('a banana')
})
