import { expect, test } from 'vitest'
import { durationText, toOneLine } from './query-words.ts'

test.each([
  [0, '0 ms'],
  [412, '412 ms'],
  [1_240, '1.2 s'],
  [59_900, '59 s'],
  [185_000, '3 min 5 s'],
  [7_440_000, '2 h 4 min'],
])('%d ms is %s', (ms, text) => expect(durationText(ms)).toBe(text))

test('a query is shown as one line', () => expect(toOneLine(' select 1\n  from  a ')).toBe('select 1 from a'))
