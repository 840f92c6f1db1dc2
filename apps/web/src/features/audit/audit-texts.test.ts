import { allEndpoints } from '@trellis/contract/all-endpoints'
import { expect, test } from 'vitest'
import { ACTIONS, actionOptions, formatAction, formatDetail, parseOutcome, formatActor } from './audit-texts.ts'

const EVENTS = new Set([
  'expiredAccountDeleted',
  'expiredAccountWarned',
  'accountCreated',
  'accountRemoved',
  'creditsBought',
  'loginPasswordRestored',
  'paymentFailed',
  'paymentReceived',
  'planCancelled',
  'planChangeCalledOff',
  'planChangeScheduled',
  'planChanged',
  'planChosen',
  'planEnded',
  'planRenewed',
  'planResumed',
  'sessionRevoked',
  'signIn',
  'projectRemoved',
  'workspaceRemoved',
  'accountRestored',
  'workspaceRestored',
  'inviteAccepted',
  'inviteDeclined',
  'inviteTakenBack',
  'duplicatePlanEnded',
  'integrationLinked',
  'integrationSeen',
  'guardedQuery',
])

test('every action with words of its own is a call of the contract or an event the server writes', () => {
  const ids = new Set(allEndpoints.map((endpoint) => endpoint.id))
  expect(Object.keys(ACTIONS).filter((action) => !ids.has(action) && !EVENTS.has(action))).toEqual([])
})

test('an action without words of its own is read from its id', () => {
  expect(formatAction('transferOwnership')).toBe('Ownership handed on')
  expect(formatAction('getPortalLink')).toBe('Get portal link')
})

test('what was seen can be filtered by', () => {
  const entry = { action: 'somethingNew' } as never
  expect(actionOptions([entry])).toContainEqual({ value: 'somethingNew', label: 'Something new' })
  expect(actionOptions([])).toContainEqual({ value: 'removeMember', label: 'Member removed' })
})

test('nonsense in the address filters nothing', () => {
  expect([parseOutcome(null), parseOutcome('refused'), parseOutcome('nonsense')]).toEqual(['', 'refused', ''])
})

test.each([
  ['creditsBought', { credits: 1200, dollars: 30 }, '1,200 credits for $30.00'],
  ['planChanged', { from: 'basic', to: 'team' }, 'From Basic to Team'],
  ['planChangeScheduled', { to: 'basic', on: '2026-03-01' }, 'To Basic on 2026-03-01'],
  ['planCancelled', { plan: 'team', ends: '2026-03-01' }, 'Team, ends on 2026-03-01'],
  ['planRenewed', { plan: 'team', until: '2026-03-01' }, 'Team, until 2026-03-01'],
  ['paymentFailed', { plan: 'basic' }, 'Basic'],
  ['updateAccount', { from: 'Old', to: 'New' }, 'From Old to New'],
  ['signIn', { reason: 'wrong e-mail or password' }, 'Wrong e-mail or password'],
  ['deleteAccount', { name: 'Acme' }, 'Acme'],
  ['removeMember', {}, ''],
  ['removeMember', { name: 'Ada Lovelace' }, 'Ada Lovelace'],
  ['updateWorkspace', { from: 'Old', to: 'New' }, 'From Old to New'],
  ['updateMemberAccess', { name: 'Ada', what: 'main: viewer → editor' }, 'Ada: main: viewer → editor'],
  ['expiredAccountWarned', { on: '2026-03-01' }, 'The account will be deleted on 2026-03-01'],
])('the detail of %s reads as a phrase', (action, detail, text) => {
  expect(formatDetail({ action, detail })).toBe(text)
})

test('what the payment provider told is told as its word', () => {
  expect(formatActor({ action: 'planRenewed', who: null })).toBe('Payment provider')
  expect(formatActor({ action: 'workspaceRemoved', who: null })).toBe('Trellis')
})
