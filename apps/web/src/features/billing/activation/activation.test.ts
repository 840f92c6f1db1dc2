import { expect, test } from 'vitest'
import { ApiError, unreachableError } from '../../../api/api-error.ts'
import { isWorthRepeating, MAX_RETRIES, readActivation, waitBefore } from './activation.ts'

const read = (id: string | undefined, query: string) => readActivation(id, new URLSearchParams(query))
const refused = (status: number, code: 'plan_not_paid' | 'not_found' | 'payments_unavailable') =>
  new ApiError({ status, code, title: '', detail: '' })

test('a paid plan names the account to make', () => {
  expect(read('12', 'status=success&account_type=team')).toEqual({
    kind: 'create',
    body: { temporary_account_id: 12, account_type: 'team' },
  })
})

test('a canceled checkout makes nothing, whatever else the address says', () => {
  expect(read('12', 'status=canceled&account_type=team').kind).toBe('canceled')
})

test('the code of an account that exists waits for its plan', () => {
  expect(read('k3m9x7wq2pab', 'status=success&account_type=team')).toEqual({
    kind: 'await',
    accountCode: 'k3m9x7wq2pab',
  })
  expect(read('234567892345', 'status=success').kind).toBe('await')
  expect(read('k3m9x7wq2pab', 'status=canceled').kind).toBe('canceled')
})

test('an address nobody could have been sent to is wrong', () => {
  for (const [id, query] of [
    ['12', ''],
    ['12', 'account_type=enterprise'],
    ['0', 'account_type=basic'],
    ['1e3', 'account_type=basic'],
    ['12x', 'account_type=basic'],
    [undefined, 'account_type=basic'],
  ] as const) {
    expect(read(id, query).kind).toBe('wrong')
  }
})

test('only what a moment can change is tried again, and not for ever', () => {
  expect(isWorthRepeating(0, refused(402, 'plan_not_paid'))).toBe(true)
  expect(isWorthRepeating(0, refused(503, 'payments_unavailable'))).toBe(true)
  expect(isWorthRepeating(0, unreachableError())).toBe(true)
  expect(isWorthRepeating(0, refused(404, 'not_found'))).toBe(false)
  expect(isWorthRepeating(0, new Error('a fault of our own'))).toBe(false)
  expect(isWorthRepeating(MAX_RETRIES, refused(402, 'plan_not_paid'))).toBe(false)
})

test('the waits grow and stay short', () => {
  expect([0, 1, 2, 3, 4, 8].map(waitBefore)).toEqual([500, 1000, 2000, 4000, 5000, 5000])
})
