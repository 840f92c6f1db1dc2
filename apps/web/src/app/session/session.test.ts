import { getIdentity, logout } from '@trellis/contract/identity/identity.endpoints'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { startLocalServer } from '../../api/local-server.ts'
import { findToken, storeToken } from '../../api/token-store.ts'
import { toCrossTabChange } from './cross-tab.ts'
import { consumeNotice } from './handover.ts'
import { account, profile } from './session-samples.ts'
import type * as Session from './session.ts'
import { readAccounts, readProfile, readWorkspaces, storeAccounts, storeProfile } from './stored-data.ts'

let went: string[] = []
const go = (path: string) => went.push(path)

/** A session ends once per page load, so every test imports the module anew. */
let session: typeof Session

beforeEach(async () => {
  vi.resetModules()
  session = await import('./session.ts')
  localStorage.clear()
  sessionStorage.clear()
  went = []
  storeToken({ access_token: 'abc', email: profile.email })
  storeProfile(profile)
  storeAccounts([account])
})

const isNothingStored = () => !findToken() && !readProfile().ok && !readAccounts().ok && !readWorkspaces().ok

describe('logout', () => {
  test('ends the session on the server, clears what is stored and goes to root', async () => {
    const server = await startLocalServer(() => ({}))
    await session.logout(go)
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/auth/logout',
      headers: { authorization: 'Bearer abc' },
    })
    expect(isNothingStored()).toBe(true)
    expect(went).toEqual(['/'])
    await server.stop()
  })

  test('does not depend on the server', async () => {
    const server = await startLocalServer(() => ({}))
    await server.stop()
    await session.logout(go)
    expect(isNothingStored()).toBe(true)
    expect(went).toEqual(['/'])
  })

  test('soft logout leaves a notice for the sign-in page', () => {
    session.logoutLocally({ notice: { tone: 'error', text: 'No stored profile found' }, go })
    expect(isNothingStored()).toBe(true)
    expect(went).toEqual(['/'])
    expect(consumeNotice()).toEqual({ tone: 'error', text: 'No stored profile found' })
    expect(consumeNotice()).toBeNull()
  })
})

test('reads are not answered by a refusal after the sign-out', async () => {
  const { call } = await import('../../api/call.ts')
  let answerRead = () => {}
  const isReadAnswered = new Promise<void>((resolve) => (answerRead = resolve))
  const server = await startLocalServer(async ({ url }) => {
    if (url === '/auth/logout') return {}
    if (url === '/auth/identity') await isReadAnswered
    return { status: 401, body: { errors: [{ status: '401', code: 'not_signed_in', title: 'You are not signed in' }] } }
  })
  const ends: string[] = []
  const read = (name: string) =>
    void call(getIdentity, {}).then(
      () => ends.push(`${name} answered`),
      () => ends.push(`${name} refused`),
    )
  read('under way')
  await expect.poll(() => server.of('/auth/identity').length).toBe(1)
  const leaving = session.logout(go)
  read('later')
  await leaving
  answerRead()
  await call(logout, {}).catch(() => undefined)
  expect(ends).toEqual([])
  expect(server.seen.map(({ url }) => url)).toEqual(['/auth/identity', '/auth/logout', '/auth/logout'])
  await server.stop()
})

test('a call that fails while the page is leaving changes nothing', async () => {
  const server = await startLocalServer(() => ({}))
  const leaving = session.logout(go)
  session.logoutLocally({ notice: { tone: 'error', text: session.AUTHENTICATION_ISSUE }, go })
  await leaving
  expect(went).toEqual(['/'])
  expect(consumeNotice()).toBeNull()
  await server.stop()
})

describe('another tab', () => {
  let stop: () => void
  beforeEach(() => {
    stop = session.watchSession(profile.id, go)
  })
  afterEach(() => stop())

  const changes = (newValue: string | null, key: string | null = 'trellis.profile') =>
    window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue, storageArea: localStorage }))

  test('signed in as someone else: this session ends, theirs stays', () => {
    changes(JSON.stringify({ ...profile, id: 8 }))
    expect(went).toEqual(['/'])
    expect(consumeNotice()).toEqual({ tone: 'error', text: session.AUTHENTICATION_ISSUE })
    expect(findToken()).not.toBeNull()
  })

  test('wrote a profile that is not valid', () => {
    changes('{"id":"x"}')
    expect(went).toEqual(['/'])
    expect(consumeNotice()?.text).toBe('Authentication Issue. Please login again.')
  })

  test('signed out: this one follows quietly, and only once', () => {
    changes(null)
    changes(null)
    expect(went).toEqual(['/'])
    expect(consumeNotice()).toBeNull()
  })

  test('changed the name or something else: nothing happens', () => {
    changes(JSON.stringify({ ...profile, first_name: 'Augusta' }))
    changes('{"access_token":"new"}', 'trellis.token')
    expect(went).toEqual([])
  })
})

test('clearing all site data counts as signing out', () => {
  expect(toCrossTabChange({ key: null, newValue: null }, profile.id)).toBe('signed-out')
})
