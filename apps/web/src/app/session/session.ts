import { logout as logoutEndpoint } from '@trellis/contract/identity/identity.endpoints'
import { call } from '../../api/call.ts'
import { clearToken, findToken } from '../../api/token-store.ts'
import { watchOtherTabs } from './cross-tab.ts'
import { leaveNotice } from './handover.ts'
import type { Notice } from './handover.ts'
import { clearActivity, watchIdle } from './idle.ts'
import { clearStoredData } from './stored-data.ts'

export const AUTHENTICATION_ISSUE = 'Authentication Issue. Please login again.'

/** The server gets this long to hear of a sign-out before the person is let go. */
const LOGOUT_PATIENCE = 3_000

type Go = (path: string) => void
const leaveTo: Go = (path) => location.assign(path)

/** Once this page is leaving, calls it still had under way fail; they must not end the session a second time. */
let isLeaving = false

/** Ends the session here and on the server, then goes to root. An unreachable server does not keep anyone signed in. */
export async function logout(go: Go = leaveTo): Promise<void> {
  if (isLeaving) return
  isLeaving = true
  if (findToken() !== null) {
    await call(logoutEndpoint, {}, { signal: AbortSignal.timeout(LOGOUT_PATIENCE) }).catch(() => undefined)
  }
  forget()
  leave(go)
}

/** Forgets the session in this browser without asking the server, then goes to root, where `notice` is shown. */
export function softLogout({ notice, go = leaveTo }: { notice?: Notice; go?: Go } = {}): void {
  if (isLeaving) return
  forget()
  leave(go, notice)
}

/**
 * Watches a signed-in tab: 90 idle minutes log out, a sign-out in another tab is followed, and another person's
 * sign-in ends this tab's session. In that case what is stored belongs to the other person and stays untouched.
 */
export function watchSession(profileId: number, go: Go = leaveTo): () => void {
  const stopIdle = watchIdle({ onIdle: () => void logout(go) })
  const stopTabs = watchOtherTabs(profileId, (change) => {
    stop()
    if (!isLeaving) leave(go, change === 'someone-else' ? { tone: 'error', text: AUTHENTICATION_ISSUE } : undefined)
  })
  // Going back after signing out must not bring the signed-in page up from the browser's memory.
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

function forget(): void {
  clearToken()
  clearStoredData()
  clearActivity()
}

function leave(go: Go, notice?: Notice): void {
  isLeaving = true
  if (notice) leaveNotice(notice)
  go('/')
}
