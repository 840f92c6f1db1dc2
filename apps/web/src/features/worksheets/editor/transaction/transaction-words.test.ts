import type { SqlTransaction } from '@trellis/contract/sql/transactions.schemas'
import { expect, test } from 'vitest'
import { describeTransaction, formatTimeLeft } from './transaction-words.ts'

const open: SqlTransaction = {
  transaction_id: 't',
  file_id: 'f',
  integration_trellis_code: 'd',
  status: 'open',
  reason: null,
  problem: null,
  is_failed: false,
  is_running: false,
  row_limit: 1,
  timeout_seconds: 1,
  started_at: '2026-01-01T00:00:00Z',
  idle_ends_at: '2026-01-01T00:05:00Z',
  ends_at: '2026-01-01T00:15:00Z',
  ended_at: null,
}
const at = (time: string) => Date.parse(`2026-01-01T${time}Z`)

test('counts down to the end of the idle time, or of the transaction while a statement runs', () => {
  expect(formatTimeLeft(open, at('00:00:55'))).toBe('4:05')
  expect(formatTimeLeft({ ...open, is_running: true }, at('00:00:55'))).toBe('14:05')
  expect(formatTimeLeft({ ...open, idle_ends_at: '2026-01-01T00:16:00Z' }, at('00:14:58'))).toBe('0:02')
  expect(formatTimeLeft(open, at('00:09:00'))).toBe('0:00')
  expect(formatTimeLeft({ ...open, status: 'committed' }, at('00:00:00'))).toBeNull()
})

test('says what happened and what can be done', () => {
  expect(describeTransaction(null)).toContain('begins a transaction')
  expect(describeTransaction({ ...open, is_failed: true })).toBe('A statement failed. Roll back to go on.')
  expect(describeTransaction({ ...open, status: 'rolled_back', reason: 'idle' })).toContain('5 minutes')
  expect(describeTransaction({ ...open, status: 'rolled_back', reason: 'cancelled' })).toBe(
    'Rolled back: a statement was cancelled.',
  )
  expect(describeTransaction({ ...open, status: 'rolled_back', reason: 'failed', problem: 'duplicate key' })).toBe(
    'Rolled back by the database. duplicate key',
  )
})
