import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCidr, stripHostMask, containsRange, findCidr } from './cidr.ts'

test.each([
  ['203.0.113.7', '203.0.113.7/32'],
  [' 203.0.113.7/24 ', '203.0.113.0/24'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['10.255.255.255/9', '10.128.0.0/9'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8:ffff::1/33', '2001:db8:8000::/33'],
  ['::ffff:192.0.2.1', '192.0.2.1/32'],
  ['::ffff:192.0.2.1/120', '192.0.2.0/24'],
  ['::/0', '::/0'],
])('%s is %s', (given, plain) => {
  expect(findCidr(given)).toBe(plain)
})

test.each([
  '',
  '/',
  'x',
  '1.2.3',
  '1.2.3.4/',
  '1.2.3.4/33',
  '1.2.3.4/-1',
  '1.2.3.4/8/8',
  '010.0.0.1',
  '0x7f.1',
  '1',
  '::1/129',
  '::ffff:1.2.3.4/95',
  'fe80::1%0',
  '1.2.3.4 all',
  '1.2.3.4/1e1',
])('%j is no range', (given) => {
  expect(findCidr(given)).toBeUndefined()
})

test('a plain form stays as it is, and a range covers just what shares its beginning', () => {
  const byte = fc.integer({ min: 0, max: 255 })
  const address = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
  const length = fc.integer({ min: 0, max: 32 })
  const bits = (text: string) =>
    text
      .split('.')
      .map((item) => Number(item).toString(2).padStart(8, '0'))
      .join('')
  fc.assert(
    fc.property(address, length, address, (network, prefix, other) => {
      const range = findCidr(`${network}/${prefix}`) ?? ''
      expect(findCidr(range)).toBe(range)
      const shares = bits(network).slice(0, prefix) === bits(other).slice(0, prefix)
      expect(containsRange(range, `${other}/32`)).toBe(shares)
      expect(containsRange(range, '::1/128')).toBe(false)
    }),
  )
})

test('an address is written without its length', () => {
  expect(stripHostMask(toCidr('::ffff:127.0.0.1'))).toBe('127.0.0.1')
  expect(stripHostMask(toCidr('2001:db8::7'))).toBe('2001:db8::7')
})
