import { expect, test } from 'vitest'
import {
  canGoOn,
  EMPTY,
  failedEmails,
  isLastStep,
  toRequests,
  findCommonRole,
  withRole,
  withSameRole,
} from './wizard.ts'

const emails = ['ada@example.com']

test('the first step needs at least one address, and only valid ones', () => {
  expect(canGoOn(0, EMPTY)).toBe(false)
  expect(canGoOn(0, { ...EMPTY, emails })).toBe(true)
  expect(canGoOn(0, { ...EMPTY, emails: [...emails, 'nonsense'] })).toBe(false)
})

test('the second needs a choice, the third at least one workspace', () => {
  expect(canGoOn(1, { ...EMPTY, emails })).toBe(false)
  expect(canGoOn(1, { ...EMPTY, emails, access: 'account_view' })).toBe(true)
  expect(canGoOn(2, { ...EMPTY, emails, access: 'account_view' })).toBe(false)
  expect(canGoOn(2, { ...EMPTY, emails, access: 'account_view', roles: { w: 1 } })).toBe(true)
})

test('full control ends at the second step', () => {
  expect(isLastStep(1, 'account_admin')).toBe(true)
  expect(isLastStep(1, 'account_view')).toBe(false)
  expect(isLastStep(2, 'account_view')).toBe(true)
})

test('one role can be given to all workspaces and taken from one', () => {
  const all = withSameRole(['a', 'b'], 3)
  expect(findCommonRole(['a', 'b'], all)).toBe(3)
  const some = withRole(all, 'b', null)
  expect(some).toEqual({ a: 3 })
  expect(findCommonRole(['a', 'b'], some)).toBeUndefined()
  expect(findCommonRole(['a', 'b'], withSameRole(['a', 'b'], null))).toBeNull()
})

test('roles chosen before changing to full control are not sent', () => {
  const values = { ...EMPTY, emails, access: 'account_admin' as const, roles: { w: 1 } }
  expect(toRequests(values, 2)).toEqual([{ user_email: 'ada@example.com', account_role_id: 2, workspace_roles: [] }])
  expect(toRequests({ ...values, access: 'account_view' }, 1)[0]?.workspace_roles).toEqual([
    { workspace_trellis_code: 'w', workspace_role_id: 1 },
  ])
})

test('failures are told from successes', () => {
  expect(
    failedEmails({
      'a@x.co': { status: true, message: '' },
      'b@x.co': { status: false, message: 'Users limit reached' },
    }),
  ).toEqual(['b@x.co'])
})
