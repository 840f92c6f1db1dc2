import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findTypeMismatches } from '../testing/values.ts'
import { convert, inferFields, inferType, widenType } from './infer.ts'

const value = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.constantFrom('2026-11-10', '2026-02-30', '2026-11-10T12:00:00Z', '2026-11-10 12:00:00', '7', '0012', 'true'),
  fc.uuid(),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(fc.string({ maxLength: 3 }), fc.integer(), { maxKeys: 2 }),
)
const record = fc.dictionary(fc.constantFrom('a', 'b', 'c'), value)

test('whatever was seen fits the fields that were found', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), (records) => {
      const fields = inferFields(records, [])
      const rows = records.map((other) => fields.map(({ name, type }) => convert(type, other[name]) ?? null))
      expect(findTypeMismatches(fields, rows)).toEqual([])
      for (const [index, one] of records.entries()) {
        for (const [column, { name }] of fields.entries()) {
          const isThere = one[name] !== null && one[name] !== undefined
          expect(rows[index]?.[column] !== null).toBe(isThere)
        }
      }
    }),
  )
})

test('the order of the records does not matter', () => {
  const looks = value.map((item) => inferType(item))
  fc.assert(
    fc.property(looks, looks, looks, (a, b, c) => {
      expect(widenType(a, b)).toBe(widenType(b, a))
      expect(widenType(widenType(a, b), c)).toBe(widenType(a, widenType(b, c)))
      expect(widenType(a, a)).toBe(a)
    }),
  )
})

test.each([
  [[1, 2], 'integer'],
  [[1, 2.5], 'decimal'],
  [[1, 'x'], 'text'],
  [['2026-11-10', '2026-11-11'], 'date'],
  [['2026-11-10', '2026-11-11T10:00:00Z'], 'timestamptz'],
  [['2026-02-30'], 'text'],
  [[{ a: 1 }, [1]], 'json'],
  [[{ a: 1 }, 'x'], 'text'],
  [[null], 'text'],
  [['0012'], 'text'],
])('%j is %s', (values, type) => {
  expect(
    inferFields(
      values.map((item) => ({ one: item })),
      [],
    ),
  ).toEqual([{ name: 'one', type, isNullable: true }])
})

test('what is known stays first and is only widened', () => {
  const fields = inferFields([{ b: 1, a: 2.5 }], ['a'], [['a', 'integer']])
  expect(fields).toEqual([
    { name: 'a', type: 'decimal', isNullable: false },
    { name: 'b', type: 'integer', isNullable: true },
  ])
})

test.each([
  ['integer', '12', 12],
  ['integer', '9007199254740993', '9007199254740993'],
  ['integer', '1.5', undefined],
  ['decimal', '0.10', '0.10'],
  ['decimal', '', null],
  ['timestamptz', 1_793_491_200, '2026-11-01T00:00:00.000Z'],
  ['timestamptz', 1_793_491_200_000, '2026-11-01T00:00:00.000Z'],
  ['date', '2026-11-10T12:00:00Z', '2026-11-10'],
  ['boolean', 'yes', undefined],
  ['json', { a: [1] }, '{"a":[1]}'],
  ['text', { a: 1 }, '{"a":1}'],
] as const)('as %s, %j becomes %j', (type, from, to) => {
  expect(convert(type, from)).toEqual(to)
})
