import { expect, test } from 'vitest'
import { listComparisonNotes, formatProgress, toDot, formatUsualDuration } from './flow-run-words.ts'

const usual = { count: 5, duration_ms: 1000, rows: 100, duration_ratio: 1, rows_ratio: 1, changed_blocks: [] }

test.each([
  [{}, []],
  [{ duration_ratio: 2.14 }, ['2.1× slower than usual']],
  [{ duration_ratio: 0.1 }, ['10× faster than usual']],
  [{ duration_ratio: 1.1, rows_ratio: 0.9 }, []],
  [{ rows_ratio: 3 }, ['3.0× as many rows as usual']],
  [{ rows_ratio: 0.5 }, ['Only 50% of the rows of a usual run']],
  [{ rows_ratio: 0 }, ['No rows, unlike usual']],
  [
    { count: 1, duration_ratio: 2, rows_ratio: 0.5 },
    ['2.0× slower than last time', 'Only 50% of the rows of last time'],
  ],
  [{ duration_ratio: null, rows_ratio: null, changed_blocks: ['Orders'] }, ['New version of “Orders”']],
])('%o is told as %o', (change, texts) => {
  expect(listComparisonNotes({ state: 'succeeded', comparison: { ...usual, ...change } })).toEqual(texts)
})

test('a run that did not succeed is not called slow or fast', () => {
  const comparison = { ...usual, duration_ratio: 4, rows_ratio: 0.1, changed_blocks: ['Orders'] }
  expect(listComparisonNotes({ state: 'failed', comparison })).toEqual(['New version of “Orders”'])
})

test('a run that waited for a decision is compared by what it worked', () => {
  expect(formatUsualDuration(usual, 1100)).toBe('usually 1.0 s, median of 5')
  expect(formatUsualDuration(usual, null)).toBe('usually 1.0 s, median of 5')
  expect(formatUsualDuration({ ...usual, duration_ratio: 2 }, 60_000)).toBe(
    '2.0 s without waiting, usually 1.0 s, median of 5',
  )
  expect(formatUsualDuration({ ...usual, count: 1 }, 1100)).toBe('1.0 s last time')
  expect(formatUsualDuration({ ...usual, duration_ms: null, duration_ratio: null }, 60_000)).toBeNull()
})

test('progress counts what is missing; a cancelled block is not called failed', () => {
  expect(formatProgress({ state: 'succeeded', progress: { done: 1, total: 1 } })).toBe('1 block')
  expect(formatProgress({ state: 'failed', progress: { done: 2, total: 6 } })).toBe('2 of 6 blocks')
  expect(toDot({ status: 'FAILED', is_cancelled: true, waiting_for: null }).word).toBe('Cancelled')
  expect(toDot({ status: 'FAILED', is_cancelled: false, waiting_for: null }).word).toBe('Failed')
  expect(toDot({ status: 'FAILED', is_cancelled: false, waiting_for: 'decision' }).word).toBe('Needs a decision')
})
