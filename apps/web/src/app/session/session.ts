import { logout as logoutEndpoint } from '@trellis/contract/identity/identity.endpoints'
import { call } from '../../api/call.ts'
import { cancelReads } from '../../api/read-calls.ts'
import { clearToken, findToken } from '../../api/token-store.ts'
import { watchOtherTabs } from './cross-tab.ts'
import { storeNotice } from './handover.ts'
import type { Notice } from './handover.ts'
import { clearActivity, watchIdle } from './idle.ts'
import { clearStoredData } from './stored-data.ts'

export const AUTHENTICATION_ISSUE = 'Authentication Issue. Please login again.'

const LOGOUT_PATIENCE = 3_000

type Go = (path: string) => void
const navigateAway: Go = (path) => location.assign(path)

/** Requests that fail while the page is leaving must not end the session again. */
let isLeaving = false

/** An unreachable server does not keep anybody signed in. */
export async function logout(go: Go = navigateAway): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  cancelReads()
  if (findToken() !== null) {
    await call(logoutEndpoint, {}, { signal: AbortSignal.timeout(LOGOUT_PATIENCE) }).catch(() => undefined)
  }
  clearSession()
  leavePage(go)
}

/** Without a call to the server; `notice` is shown on the sign-in page. */
export function logoutLocally({ notice, go = navigateAway }: { notice?: Notice; go?: Go } = {}): void {
  if (isLeaving) return
  clearSession()
  leavePage(go, notice)
}

/**
 * 90 idle minutes log out; a sign-out in another tab is followed; another person's sign-in ends this tab's session and
 * leaves the stored data alone, since it belongs to them.
 */
export function watchSession(profileId: number, go: Go = navigateAway): () => void {
  const stopIdle = watchIdle({ onIdle: () => void logout(go) })
  const stopTabs = watchOtherTabs(profileId, (change) => {
    stop()
    if (!isLeaving) leavePage(go, change === 'someone-else' ? { tone: 'error', text: AUTHENTICATION_ISSUE } : undefined)
  })
  // The back/forward cache must not show a signed-in page after the sign-out.
  const onShow = (event: PageTransitionEvent) => {
    if (event.persisted) location.reload()
  }
  addEventListener('pageshow', onShow)
  const stop = () => {
    stopIdle()
    stopTabs()
    removeEventListener('pageshow', onShow)
  }
  return stop
}

function clearSession(): void {
  clearToken()
  clearStoredData()
  clearActivity()
}

function leavePage(go: Go, notice?: Notice): void {
  isLeaving = true
  if (notice) storeNotice(notice)
  go('/')
}
