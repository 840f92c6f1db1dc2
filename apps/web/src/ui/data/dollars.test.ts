import { expect, test } from 'vitest'
import { formatDollars } from './dollars.ts'

test('money has cents everywhere, as on the pages of the payment provider', () => {
  expect([0, 950, 3000, 2.5, 2497.5].map(formatDollars)).toEqual([
    '$0.00',
    '$950.00',
    '$3,000.00',
    '$2.50',
    '$2,497.50',
  ])
})
