import { expect, test } from 'vitest'
import { describeCronPart, splitCronParts, withCronPart } from './cron-words.ts'

test('fields in words', () => {
  expect(describeCronPart('minute', '*')).toBe('every minute')
  expect(describeCronPart('hour', '6,18')).toBe('at hour 6 and 18')
  expect(describeCronPart('dayOfMonth', '?')).toBe('any day of the month')
  expect(describeCronPart('month', '1,3-5')).toBe('in January and March to May')
  expect(describeCronPart('dayOfWeek', '1-5')).toBe('on Monday to Friday')
  expect(describeCronPart('year', 'x')).toBe('')
})

test('one field is changed without shifting the others', () => {
  expect(withCronPart('', 1, '6')).toBe('* 6 * * * *')
  expect(withCronPart('0 6 * * ? *', 1, '')).toBe('0 * * * ? *')
  expect(withCronPart('0 * * * ? *', 1, '*7')).toBe('0 7 * * ? *')
  expect(splitCronParts('0 6')).toEqual(['0', '6', '', '', '', ''])
  expect(splitCronParts('0 6 * * ? * 9')[5]).toBe('* 9')
})
