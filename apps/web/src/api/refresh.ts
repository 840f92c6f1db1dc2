import { refreshToken } from '@trellis/contract/identity/identity.endpoints'
import { ApiError, isSignedOut } from './api-error.ts'
import { requestOf } from './request.ts'
import { send } from './send.ts'
import { clearToken, findStoredEmail, findToken, storeToken } from './token-store.ts'

const LOCK = 'trellis.refresh'

let running: Promise<string | null> | null = null

/**
 * Trades the refresh secret for a new access token and answers with it, or with null when that failed.
 * The secret works once and a second use ends the session, so callers share one trade, in this tab and across tabs.
 */
export function refreshOnce(staleToken: string | undefined): Promise<string | null> {
  running ??= inTurn(() => refresh(staleToken)).finally(() => {
    running = null
  })
  return running
}

/** A refused refresh forgets the token. A refresh that got no answer keeps it, so an outage signs nobody out. */
export function isSessionOver(error: unknown): boolean {
  return isSignedOut(error) && findToken() === null
}

async function refresh(staleToken: string | undefined): Promise<string | null> {
  const current = findToken()?.access_token
  if (current && current !== staleToken) return current
  const email = findStoredEmail()
  if (email === null) {
    clearToken()
    return null
  }
  try {
    const { access_token } = (await send(requestOf(refreshToken, { body: { email } }), {})) as { access_token: string }
    storeToken({ access_token, email })
    return access_token
  } catch (error) {
    if (error instanceof ApiError && (error.status === 400 || error.status === 401)) clearToken()
    return null
  }
}

/** Web Locks are missing over plain HTTP on another machine's address: there, only calls of one tab share. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined
  return locks ? locks.request(LOCK, work) : work()
}
