import { RUN_STATUSES } from '@trellis/contract/dataflows/dataflow-words'
import { expect, test } from 'vitest'
import { fakeRun, toTaskRun } from '../../testing/dataflows/fake-runs.ts'
import { parseRunsFilter } from './list/run-filter.ts'
import { withRuns } from './live-runs.ts'
import { isOpenRun, formatDelay, formatReceipt, getStatusLabel, type RunReceipt } from './run-words.ts'

const receipt: RunReceipt = {
  subtask: 'Orders',
  schema_name: 'shop',
  table_name: 'orders',
  load_id: 'l',
  window: null,
  rows_at_source: 1200,
  rows_at_destination: 1200,
  rows_rejected: 0,
  rows_merged: 0,
  key_hash_at_source: 'a',
  key_hash_at_destination: 'a',
  is_whole: true,
  can_undo: true,
  undone_at: null,
}

test('a run is open from the queue to its end, also in the moment in which a worker takes it', () => {
  const open = RUN_STATUSES.filter((status) => isOpenRun({ status }))
  expect(open).toEqual(['QUEUED', 'SYSTEM_DEQUEUED', 'SYSTEM_BLOCKED', 'PROVISIONING', 'INITIALIZING', 'RUNNING'])
})

test('a run that was stopped or waits to retry says so', () => {
  const run = fakeRun('r')
  const problem = { kind: 'cancelled' as const, message: '', advice: null, subtask: null }
  expect(getStatusLabel(run).label).toBe('Succeeded')
  expect(getStatusLabel({ ...run, status: 'FAILED', problem }).label).toBe('Cancelled')
  const question = { changes: [], can_keep: true, decision: { choice: 'accept' as const, who: 'Ada', at: run.due_at } }
  const decided = { ...problem, kind: 'schema_changed' as const, question }
  expect(getStatusLabel({ ...run, status: 'FAILED', problem: decided })).toMatchObject({
    label: 'Decided',
    tone: 'neutral',
  })
  const open = { ...decided, question: { ...question, decision: null } }
  expect(getStatusLabel({ ...run, status: 'FAILED', problem: open }).label, 'retried or deleted').toBe('Not decided')
  expect(getStatusLabel({ ...run, status: 'QUEUED', retry_at: run.due_at }).label).toBe('Waits to retry')
  expect(formatDelay({ due_at: '2026-11-15T06:00:00Z', started_at: '2026-11-15T06:00:12Z' })).toBe(
    '12 s after it was due',
  )
  expect(formatDelay({ due_at: '2026-11-15T06:00:00Z', started_at: '2026-11-15T06:00:00.400Z' })).toBeNull()
})

test.each([
  [{}, 'Complete: 1,200 rows at the source, 1,200 here, and the keys on both sides are the same.'],
  [{ key_hash_at_source: null }, 'Complete: 1,200 rows at the source, 1,200 here.'],
  [
    { key_hash_at_source: null, rows_at_destination: 1195, rows_rejected: 2, rows_merged: 3 },
    'Complete: 1,200 rows at the source, 1,195 here, 2 rejected, 3 the same as others.',
  ],
  [{ rows_at_source: 0, rows_at_destination: 0 }, 'There was nothing new to read.'],
  [
    { is_whole: false, rows_at_destination: 1199 },
    'Incomplete: 1,200 at the source, 1,199 here. 1 row did not arrive.',
  ],
  [
    { is_whole: false, rows_at_destination: 1202 },
    'Incomplete: 1,200 at the source, 1,202 here. 2 rows more arrived than were there.',
  ],
  [{ is_whole: false, key_hash_at_source: 'b' }, 'Incomplete: 1,200 rows on both sides, but their keys differ.'],
  [{ undone_at: '2026-11-15T06:00:00Z' }, '1,200 rows had arrived and were rolled back.'],
])('a receipt in words: %o', (change, words) => {
  expect(formatReceipt({ ...receipt, ...change })).toBe(words)
})

test('a receipt of a load that goes on, or was cut short', () => {
  const open = { ...receipt, is_whole: false, key_hash_at_source: null, key_hash_at_destination: null }
  expect(formatReceipt(open, true)).toBe('So far 1,200 rows read and 1,200 here.')
  expect(formatReceipt(open)).toBe('Incomplete: 1,200 rows arrived, then the run ended before it was done.')
})

test('an address asks only for what makes sense', () => {
  const wanted = parseRunsFilter(
    new URLSearchParams('status=FAILED&block=b-1&by=nobody&from=2026-11-01&to=2026-13-77&page=0.5&block2=x'),
  )
  expect(wanted).toEqual({
    page: 1,
    status: 'FAILED',
    task_block_trellis_code: 'b-1',
    from: new Date('2026-11-01T00:00:00').toISOString(),
  })
})

test('what is told of runs changes lists as a reload would', () => {
  const [a, b] = [fakeRun('a'), fakeRun('b', { status: 'RUNNING' })].map(toTaskRun) as [
    ReturnType<typeof toTaskRun>,
    ReturnType<typeof toTaskRun>,
  ]
  const page = { runs: [a, b], has_more: true }
  const codes = (next: typeof page) => next.runs.map((run) => `${run.task_run_trellis_code} ${run.status}`)
  const done = { ...b, status: 'SUCCESS' as const }
  const fresh = { ...a, task_run_trellis_code: 'c', due_at: '2999-01-01T00:00:00Z' }
  expect(codes(withRuns(page, [done], {}))).toEqual(['a SUCCESS', 'b SUCCESS'])
  expect(codes(withRuns(page, [done], { status: 'RUNNING' }))).toEqual(['a SUCCESS'])
  expect(codes(withRuns(page, [fresh], {}))[0]).toBe('c SUCCESS')
  expect(codes(withRuns(page, [fresh], { page: 2 }))).toEqual(['a SUCCESS', 'b RUNNING'])
  expect(codes(withRuns(page, [fresh], { task_block_trellis_code: 'other' }))).toHaveLength(2)
})
