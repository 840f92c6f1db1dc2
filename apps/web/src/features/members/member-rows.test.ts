import { expect, test } from 'vitest'
import { invite, member } from '../../testing/fake-company.ts'
import { canChangeMember, inviteStatus, memberRows, toSeats } from './member-rows.ts'

test('invites are pending unless they were answered or ran out', () => {
  expect(inviteStatus(invite(1, 'a@x.co'))).toBe('pending')
  expect(inviteStatus(invite(1, 'a@x.co', { has_expired: true }))).toBe('cancelled')
  expect(inviteStatus(invite(1, 'a@x.co', { has_declined: true, has_expired: true }))).toBe('declined')
  expect(inviteStatus(invite(1, 'a@x.co', { has_accepted: true, has_expired: true }))).toBe('accepted')
})

test('the owner comes first and accepted invites are not listed twice', () => {
  const rows = memberRows(
    [member(2, 'Grace Hopper'), member(1, 'Ada Lovelace', { is_owner: true })],
    [invite(7, 'new@x.co'), invite(8, 'grace@example.com', { has_accepted: true })],
  )
  expect(rows.map((row) => [row.email, row.status])).toEqual([
    ['ada@example.com', 'owner'],
    ['grace@example.com', 'active'],
    ['new@x.co', 'pending'],
  ])
})

test('only the owner removes an admin, who may also leave; nobody removes the owner', () => {
  const [owner, admin, viewer, waiting] = memberRows(
    [member(1, 'Ada L', { is_owner: true, role_id: 2 }), member(2, 'Grace H', { role_id: 2 }), member(3, 'Alan T')],
    [invite(7, 'new@x.co', { account_role_id: 2 })],
  )
  const asked = (me: { role: 'owner' | 'account_admin'; profileId: number }) =>
    [owner, admin, viewer, waiting].map((row) => row && canChangeMember(row, { ...me, adminRoleId: 2 }))
  expect(asked({ role: 'owner', profileId: 1 })).toEqual([false, true, true, true])
  expect(asked({ role: 'account_admin', profileId: 9 })).toEqual([false, false, true, true])
  expect(asked({ role: 'account_admin', profileId: 2 })).toEqual([false, true, true, true])
})

test('seats are counted only where there is a limit', () => {
  expect(toSeats({ users: 4, users_limit: 5 })).toEqual({ text: '4/5', isFull: false })
  expect(toSeats({ users: 5, users_limit: 5 })).toEqual({ text: '5/5', isFull: true })
  expect(toSeats({ users: 50, users_limit: null })).toEqual({ text: null, isFull: false })
})
