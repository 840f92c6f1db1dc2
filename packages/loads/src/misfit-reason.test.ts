import { expect, test } from 'vitest'
import { describeMisfit } from './misfit-reason.ts'

const CASES: [state: string, type: string, value: string, reason: string][] = [
  ['22P02', 'bigint', 'two', 'Not a whole number.'],
  [
    '22003',
    'bigint',
    '9223372036854775808',
    'Larger than a whole number can be here; the largest is 9,223,372,036,854,775,807.',
  ],
  ['22003', 'smallint', '40000', 'Larger than a whole number can be here; the largest is 32,767.'],
  ['22003', 'integer', '-3000000000', 'Smaller than a whole number can be here; the smallest is about -2,147,483,647.'],
  ['22P02', 'numeric', '1,5', 'Not a number.'],
  ['22003', 'numeric(8,2)', '12345678', 'Too large: the column has room for 6 digits before the decimal mark.'],
  ['22003', 'double precision', '1e999', 'Larger or smaller than a floating number can be.'],
  ['22P02', 'boolean', 'perhaps', 'Not yes or no.'],
  ['22008', 'date', '30.02.2024', 'Not a date in the order day-month-year.'],
  ['22007', 'date', 'soon', 'Not a date.'],
  ['22008', 'timestamp without time zone', '2024-13-01 10:00', 'Not a date and time in the order day-month-year.'],
  ['22008', 'time without time zone', '25:00', 'There is no such time of day.'],
  ['22007', 'time', 'noon', 'Not a time of day.'],
  ['22P02', 'uuid', 'x', 'Not a UUID.'],
  ['22P02', 'jsonb', '{', 'Not valid JSON.'],
  ['22001', 'character varying(10)', 'a long long word', 'Longer than the column allows, which is 10 characters.'],
  ['23514', 'data.rating', '9', 'Not allowed by the rule of the type data.rating.'],
  ['22P02', 'data.mood', 'so-so', 'Not a value of the type data.mood.'],
]

test.each(CASES)('%s for %s', (...[state, type, value, reason]) => {
  expect(describeMisfit(state, { column: 'c', type, value, dateOrder: 'dmy' })).toBe(reason)
})
