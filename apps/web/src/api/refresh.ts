import { refreshToken } from '@trellis/contract/identity/identity.endpoints'
import { ApiError, isSignedOut } from './api-error.ts'
import { buildRequest } from './request.ts'
import { send } from './send.ts'
import { clearToken, findStoredEmail, findToken, storeToken } from './token-store.ts'

const LOCK = 'trellis.refresh'
const STORAGE_LAG = 500

let running: Promise<string | null> | null = null

/**
 * Trades the refresh secret for a new access token and answers with it, or with null when that was refused. Without an
 * answer it throws: who can not be asked is not to be told to sign in.
 * The secret works once and a second use ends the session, so callers share one trade, in this tab and across tabs.
 */
export function refreshOnce(staleToken: string | undefined): Promise<string | null> {
  running ??= inTurn((hasWaited) => refresh(staleToken, hasWaited)).finally(() => {
    running = null
  })
  return running
}

/** A refused refresh forgets the token. A refresh that got no answer keeps it, so an outage signs nobody out. */
export function isSessionOver(error: unknown): boolean {
  return isSignedOut(error) && findToken() === null
}

async function refresh(staleToken: string | undefined, hasWaited: boolean): Promise<string | null> {
  const current = hasWaited ? await tokenAfter(staleToken) : findToken()?.access_token
  if (current && current !== staleToken) return current
  const email = findStoredEmail()
  if (email === null) {
    clearToken()
    return null
  }
  try {
    const { access_token } = (await send(buildRequest(refreshToken, { body: { email } }), {})) as {
      access_token: string
    }
    storeToken({ access_token, email })
    return access_token
  } catch (error) {
    if (!(error instanceof ApiError) || (error.status !== 400 && error.status !== 401)) throw error
    clearToken()
    return null
  }
}

/** What another tab stored reaches this one's storage a moment after its lock does. */
async function tokenAfter(staleToken: string | undefined): Promise<string | undefined> {
  const until = Date.now() + STORAGE_LAG
  while (Date.now() < until && findToken()?.access_token === staleToken) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return findToken()?.access_token
}

/** Web Locks are missing over plain HTTP on another machine's address: there, only calls of one tab share. */
async function inTurn<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return await work(false)
  const done = await locks.request(LOCK, { ifAvailable: true }, async (lock) => lock && { value: await work(false) })
  return done ? done.value : await locks.request(LOCK, () => work(true))
}
