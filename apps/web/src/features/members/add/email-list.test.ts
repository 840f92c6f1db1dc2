import { expect, test } from 'vitest'
import { isEmail, isFinished, withTyped } from './email-list.ts'

test('takes pasted lists apart however they are written', () => {
  expect(withTyped([], ' a@x.co, b@x.co;c@x.co\nd@x.co\t')).toEqual(['a@x.co', 'b@x.co', 'c@x.co', 'd@x.co'])
})

test('nobody is listed twice, in whatever case', () => {
  expect(withTyped(['Ada@x.co'], 'ada@X.co b@x.co')).toEqual(['Ada@x.co', 'b@x.co'])
})

test('an address is finished once a separator follows it', () => {
  expect(isFinished('a@x.co')).toBe(false)
  expect(isFinished('a@x.co,')).toBe(true)
  expect(isFinished('  ')).toBe(false)
})

test('what the server would refuse is not valid here', () => {
  expect(['ada@example.com', 'ada', 'ada@', '@x.co'].map(isEmail)).toEqual([true, false, false, false])
})
