import { allEndpoints } from '@trellis/contract/all-endpoints'
import { expect, test } from 'vitest'
import { ACTIONS, actionOptions, actionText, outcomeOf } from './audit-texts.ts'

const EVENTS = new Set([
  'accountRestored',
  'workspaceRestored',
  'inviteAccepted',
  'inviteDeclined',
  'inviteTakenBack',
  'duplicatePlanEnded',
  'integrationLinked',
  'integrationSeen',
])

test('every action with words of its own is a call of the contract or an event the server writes', () => {
  const ids = new Set(allEndpoints.map((endpoint) => endpoint.id))
  expect(Object.keys(ACTIONS).filter((action) => !ids.has(action) && !EVENTS.has(action))).toEqual([])
})

test('an action without words of its own is read from its id', () => {
  expect(actionText('transferOwnership')).toBe('Ownership handed on')
  expect(actionText('getPortalLink')).toBe('Get portal link')
})

test('what was seen can be filtered by', () => {
  const line = { action: 'somethingNew' } as never
  expect(actionOptions([line])).toContainEqual({ value: 'somethingNew', label: 'Something new' })
  expect(actionOptions([])).toContainEqual({ value: 'removeMember', label: 'Member removed' })
})

test('nonsense in the address filters nothing', () => {
  expect([outcomeOf(null), outcomeOf('refused'), outcomeOf('nonsense')]).toEqual(['', 'refused', ''])
})
