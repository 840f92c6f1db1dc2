import type { Comparison } from '@trellis/contract/runs/comparisons.schemas'
import { describe, expect, test } from 'vitest'
import { formatComparison, computeShares } from './comparison-words.ts'

const found = (changes: Partial<Comparison> = {}): Comparison => ({
  subtask: 'orders',
  schema_name: 'data',
  table_name: 'orders',
  strategy: 'Replace',
  has_table: true,
  key: ['id'],
  added: 0,
  changed: 0,
  gone: 0,
  same: 0,
  rejected: 0,
  changed_columns: [],
  columns: ['id'],
  sample: [],
  misfits: [],
  notes: [],
  ...changes,
})

describe('what would be different', () => {
  test.each([
    [{ same: 9 }, 'Nothing would change.'],
    [{}, 'Nothing is there to be read: nothing would change.'],
    [{ added: 1, gone: 1200 }, '1 row would be new, 1,200 rows would be gone.'],
    [{ changed: 3, same: 5 }, '3 rows would change.'],
    [{ added: 2, has_table: false }, 'The table would be made, with 2 rows.'],
    [{ added: 2, strategy: 'Append', key: [] }, '2 rows would be added.'],
  ] as const)('%j', (changes, text) => expect(formatComparison(found(changes as Partial<Comparison>))).toBe(text))

  test('a single row of a million can still be seen in the bar', () => {
    const shares = computeShares(found({ added: 1, same: 1_000_000 }))
    expect(shares.map(({ change }) => change)).toEqual(['added', 'same'])
    expect(shares[0]?.share).toBe(1.5)
  })
})
