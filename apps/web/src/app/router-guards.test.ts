import { beforeEach, expect, test } from 'vitest'
import { requireMember, requireSignedIn } from './router-guards.ts'
import { consumeNotice } from './session/handover.ts'
import { storeAccounts, storeProfile } from './session/stored-data.ts'

const profile = {
  id: 1,
  trellis_user_code: 'u-1',
  first_name: 'Ada',
  surname: 'Lovelace',
  email: 'ada@example.com',
  has_password: true,
  preferences: { themeMode: 'light' as const },
  flags: {},
}
const visit = (path: string) => ({ request: new Request(`http://localhost${path}`) })

function refusal(guard: typeof requireSignedIn, path: string) {
  try {
    guard(visit(path))
    return null
  } catch (thrown) {
    const response = thrown as Response
    return {
      to: response.headers.get('location'),
      isDocument: response.headers.get('x-remix-reload-document') === 'true',
      text: consumeNotice()?.text,
    }
  }
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

test('without a stored profile every screen leads to the sign-in page and says why', () => {
  const login = { to: '/login?next=%2Fworkspaces%3Fq%3Da', isDocument: true, text: 'No stored profile found' }
  expect(refusal(requireSignedIn, '/workspaces?q=a')).toEqual(login)
  expect(refusal(requireMember, '/workspaces?q=a')).toEqual(login)
})

test('a damaged profile is named as such', () => {
  localStorage.setItem('trellis.profile', '{"id":"x"}')
  expect(refusal(requireSignedIn, '/workspaces')?.text).toBe('Invalid stored profile data')
})

test('a profile is enough for signed-in screens, not for those of a workspace', () => {
  storeProfile(profile)
  expect(requireSignedIn(visit('/workspaces'))).toBeNull()
  expect(refusal(requireMember, '/acme/main/dashboard')).toEqual({
    to: '/initialize-profile?next=%2Facme%2Fmain%2Fdashboard',
    isDocument: false,
    text: 'No stored accounts found',
  })
})

test('damaged or missing workspaces send back to initialisation', () => {
  storeProfile(profile)
  storeAccounts([])
  expect(requireMember(visit('/acme/main/dashboard'))).toBeNull()
  localStorage.removeItem('trellis.workspaces')
  expect(refusal(requireMember, '/acme/main')?.text).toBe('No stored workspaces found')
  localStorage.setItem('trellis.workspaces', 'null')
  expect(refusal(requireMember, '/acme/main')?.text).toBe('Invalid stored workspaces data')
})
