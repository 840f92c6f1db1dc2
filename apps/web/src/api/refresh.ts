import { refreshToken } from '@trellis/contract/identity/identity.endpoints'
import { ApiError, isSignedOut } from './api-error.ts'
import { buildRequest } from './request.ts'
import { send } from './send.ts'
import { clearToken, findStoredEmail, findToken, storeToken } from './token-store.ts'

const LOCK = 'trellis.refresh'
const STORAGE_LAG = 500

let running: Promise<string | null> | null = null

/**
 * Resolves to null when the refresh token was refused and throws when there was no response, since an outage must not
 * sign anybody out. A refresh token works once and a second use ends the session, so callers share one refresh, across
 * tabs too.
 */
export function refreshOnce(staleToken: string | undefined): Promise<string | null> {
  running ??= withRefreshLock((hasWaited) => refresh(staleToken, hasWaited)).finally(() => {
    running = null
  })
  return running
}

/** Keeps the token when the server is unreachable. */
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

/** Another tab's write to localStorage may arrive a moment after its lock is released. */
async function tokenAfter(staleToken: string | undefined): Promise<string | undefined> {
  const until = Date.now() + STORAGE_LAG
  while (Date.now() < until && findToken()?.access_token === staleToken) {
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  return findToken()?.access_token
}

/** Web Locks need a secure context: over plain HTTP only calls of one tab share. */
async function withRefreshLock<T>(work: (hasWaited: boolean) => Promise<T>): Promise<T> {
  const locks = navigator.locks as LockManager | undefined
  if (!locks) return await work(false)
  const done = await locks.request(LOCK, { ifAvailable: true }, async (lock) => lock && { value: await work(false) })
  return done ? done.value : await locks.request(LOCK, () => work(true))
}
