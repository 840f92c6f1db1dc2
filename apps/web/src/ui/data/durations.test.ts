import { expect, test } from 'vitest'
import { formatDuration } from './durations.ts'

test.each([
  [0, '0 ms'],
  [850, '850 ms'],
  [4_230, '4.2 s'],
  [42_000, '42 s'],
  [59_900, '1 min'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [7_440_000, '2 h 4 min'],
  [90_000_000, '1 d 1 h'],
])('%d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
