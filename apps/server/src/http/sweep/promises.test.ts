import { allEndpoints } from '@trellis/contract/all-endpoints'
import { toEndpointUrl } from '@trellis/contract/core/endpoint'
import { PERMISSIONS } from '@trellis/contract/core/permissions'
import { expect, test } from 'vitest'

/** Making an endpoint public needs a change here, which a reviewer sees. */
const PUBLIC = [
  'POST /auth/login',
  'POST /auth/profiles/login',
  'POST /auth/signup',
  'POST /auth/profiles/signup',
  'POST /auth/signup/confirm',
  'POST /auth/profiles/signup/confirm',
  'POST /auth/signup/resend-code',
  'POST /auth/forgot-password',
  'POST /auth/profiles/forgot-password',
  'POST /auth/token/refresh',
  'GET /auth/sso',
  'POST /auth/sso/start',
  'GET /api/sso/callback',
  'GET /api/mailbox',
  'GET /api/mailbox/:message_id',
]

const name = (endpoint: (typeof allEndpoints)[number]) => `${endpoint.method} ${toEndpointUrl(endpoint)}`

test('exactly the listed calls are public', () => {
  const open = allEndpoints.filter((endpoint) => endpoint.permission === 'public').map((endpoint) => name(endpoint))
  expect(open.toSorted()).toEqual(PUBLIC.toSorted())
})

/** So does allowing an endpoint without a plan, except reads and deletes. */
const WORKS_WITHOUT_A_PLAN = [
  'cancelFlowRun',
  'cancelMessage',
  'cancelSqlJob',
  'cancelTaskRun',
  'deleteLabel',
  'endSqlTransaction',
  'exportTable',
  'leaveAccount',
  'previewDueTimes',
  'removeLabelFromTable',
  'removeMember',
  'stopRunningQuery',
  'transferOwnership',
  'updateWorksheet',
]

test('once the plan is over, reading, deleting, exporting and stopping still work, and nothing else', () => {
  const isTenant = ({ permission }: (typeof allEndpoints)[number]) =>
    PERMISSIONS[permission].scope === 'account' || PERMISSIONS[permission].scope === 'workspace'
  const always = allEndpoints.filter(({ method }) => method === 'GET' || method === 'DELETE')
  expect(always.filter((endpoint) => !endpoint.worksWhenPlanIsOver).map(({ id }) => id)).toEqual(['getCreditsLink'])
  const declared = allEndpoints.filter(
    (endpoint) => isTenant(endpoint) && !always.includes(endpoint) && endpoint.worksWhenPlanIsOver,
  )
  expect(declared.map(({ id }) => id).toSorted()).toEqual(WORKS_WITHOUT_A_PLAN)
})

test('ids and addresses are unique', () => {
  const ids = allEndpoints.map((endpoint) => endpoint.id)
  const addresses = allEndpoints.map((endpoint) => name(endpoint))
  expect(new Set(ids).size).toBe(ids.length)
  expect(new Set(addresses).size).toBe(addresses.length)
})

test.each(allEndpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  '%s keeps the rules of the house',
  (_, endpoint) => {
    const { scope } = PERMISSIONS[endpoint.permission]
    const inPath = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1])
    if (scope === 'public') expect(endpoint.limit, 'a public call needs a limit').toBeDefined()
    const isTenant = scope === 'account' || scope === 'workspace'
    // Invited people are not members yet: the use case checks the invite.
    const isInvite = endpoint.permission === 'invite:answer'
    expect(inPath.includes('account_trellis_code'), 'the account comes from the path').toBe(isTenant || isInvite)
    expect(inPath.includes('workspace_address'), 'the workspace comes from the path').toBe(scope === 'workspace')
    expect(inPath.length > 0, 'path parameters are declared').toBe(endpoint.params !== undefined)
    expect(endpoint.summary.length).toBeGreaterThan(3)
    if (endpoint.creates) expect(endpoint.method).toBe('POST')
    if (endpoint.method === 'GET') expect(endpoint.body).toBeUndefined()
  },
)
