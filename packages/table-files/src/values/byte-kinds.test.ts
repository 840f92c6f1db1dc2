import fc from 'fast-check'
import { expect, test } from 'vitest'
import { detectByteKinds } from './byte-kinds.ts'
import { detectKinds } from './value-kinds.ts'

const VALUES = [
  ...[
    '0',
    '7',
    '-7',
    '007',
    '12345678901234567',
    '1.50',
    '1.500',
    '-12.345',
    '1234.500',
    '0.500',
    '-0',
    '123456789012.345678',
    '-0.5',
    '.5',
    '5.',
    '1e5',
    '1,000',
    ' 1',
    '-',
    't',
    'F',
    'y',
    'x',
  ],
  ...[
    '2024-02-29',
    '2023-02-29',
    '2024-02-29T12:30:00',
    '2024-02-29 12:30',
    '2024-02-29 24:00:00',
    '2024-02-29 12:30:00Z',
  ],
  ...['2024-02-29 12:30:00+01', '2024-02-29T12:30:00-01:30', '2024-02-29 12:30:00+0130', '2024-02-29 12:30:00+1'],
  ...[
    '123456789012345678',
    '-12345678901234567',
    '1234567890123456789',
    '2024-02-29T12:30:00.123Z',
    '0024-02-29',
    '1x24-02-29',
    '19x9-02-28',
  ],
  ...['2024-02-29 12:30:00.1234567', '2024-02-29 12:30:00.', '2024-02-29 12:30:00.123456-07', '00.5', '-00'],
  ...['6f9619ff-8b86-d011-b42d-00c04fc964ff', '6F9619FF-8B86-D011-B42D-00C04FC964FF'],
  ...['a1234567-1234-1234-1234-123456789012', '12345678-1234-1234-1234-12345678901g'],
  ...['2024-02-29 12:30:00.5+01', '2024-02-29 12:30:00+01:3', '2024-02-29 12:30:00Z1', '2024-02-29 12:30:00 +01'],
]

function expectSame(value: string): void {
  const bytes = Buffer.from(`x${value}x`)
  const kinds = detectByteKinds(bytes, 1, bytes.length - 1)
  if (kinds >= 0) expect(kinds, value).toBe(detectKinds(value))
}

test.each(VALUES)('%s is the same by its bytes as by its text', (value) => expectSame(value))

test('so is whatever looks like a number or a moment', () => {
  const sign = fc.constantFrom(...'0123456789-:+.TZ t'.split(''))
  fc.assert(fc.property(fc.string({ unit: sign, minLength: 1, maxLength: 8 }), expectSame), { numRuns: 2000 })
  const end = fc.string({ unit: sign, maxLength: 8 })
  fc.assert(
    fc.property(end, (text) => expectSame(`2024-02-29 12:30:00${text}`)),
    { numRuns: 2000 },
  )
})

test('the commonest values are told by their bytes', () => {
  const values = ['7', '1.50', 'f', '2024-02-29', '2024-02-29 12:30:00+01', '2024-02-29T12:30:00.123Z']
  for (const value of [...values, '123456789012345678', '6f9619ff-8b86-d011-b42d-00c04fc964ff']) {
    expect(detectByteKinds(Buffer.from(value), 0, value.length), value).toBeGreaterThan(0)
  }
})
