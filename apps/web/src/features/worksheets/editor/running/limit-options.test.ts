import { expect, test } from 'vitest'
import { formatSeconds, listRowLimits, listTimeouts } from './limit-options.ts'

const limits = {
  default_row_limit: 1000,
  max_row_limit: 6000,
  default_timeout_seconds: 60,
  max_timeout_seconds: 90,
  max_running_per_person: 3,
  result_hours: 24,
}

test('choices end at the ceiling of the workspace', () => {
  expect(listRowLimits(700, limits)).toEqual([100, 500, 700, 1000, 5000, 6000])
  expect(listTimeouts(600, limits)).toEqual([10, 30, 60, 90])
  expect([30, 60, 90, 3600].map(formatSeconds)).toEqual(['30 s', '1 min', '90 s', '1 h'])
})
