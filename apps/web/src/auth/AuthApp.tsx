import { useEffect, useRef } from 'react'
import { consumeNotice } from '../app/session/handover.ts'
import { PROFILE_KEY } from '../app/session/stored-keys.ts'
import { ActivatePage } from './pages/ActivatePage.tsx'
import { ForgotPasswordPage } from './pages/ForgotPasswordPage.tsx'
import { LoginPage } from './pages/LoginPage.tsx'
import { ResetPage } from './pages/ResetPage.tsx'
import { SignupPage } from './pages/SignupPage.tsx'
import { SsoCallbackPage } from './pages/SsoCallbackPage.tsx'
import { showToast } from './parts/toasts.ts'
import { usePlace } from './auth-location.ts'
import type { AuthLocation } from './auth-location.ts'
import { enterAgain, readNextPath } from './sign-in.ts'
import { formatTitle } from './titles.ts'
import { loadWork } from './work/work-loader.ts'

export function AuthApp({ path }: { path?: string }) {
  const location = usePlace(path)
  // With a notice, don't redirect at once: it could not be read.
  const wasSentHere = useRef(false)
  useEffect(() => {
    document.title = formatTitle(location.path)
    const notice = consumeNotice()
    if (notice) {
      wasSentHere.current = true
      showToast(notice)
    }
    const isAboutToLeave = LEFT_WHEN_SIGNED_IN.includes(location.path) && !wasSentHere.current && hasProfile()
    let isHere = true
    void (isAboutToLeave ? isSignedIn() : Promise.resolve(false)).then((isLeaving) => {
      if (!isHere) return
      if (isLeaving) enterAgain(getNextPath(location))
      else delete document.documentElement.dataset['checking']
    })
    return () => {
      isHere = false
    }
  }, [location])
  useEffect(() => {
    void loadWork().catch(() => undefined)
  }, [])

  return <PageAt key={location.path} place={location} />
}

const LEFT_WHEN_SIGNED_IN = ['/', '/login', '/signup', '/activate']

/** An invite link opens the invites for somebody who is signed in. */
function getNextPath({ path, search }: AuthLocation): string | null {
  const isInvited = path === '/signup' && new URLSearchParams(search).has('invited')
  return isInvited ? '/profile/invites' : readNextPath(search)
}

function hasProfile(): boolean {
  return localStorage.getItem(PROFILE_KEY) !== null
}

async function isSignedIn(): Promise<boolean> {
  try {
    return (await loadWork()).isSignedInHere()
  } catch {
    return false
  }
}

function PageAt({ place }: { place: AuthLocation }) {
  switch (place.path) {
    case '/signup':
      return <SignupPage place={place} />
    case '/activate':
      return <ActivatePage place={place} />
    case '/forgot-password':
      return <ForgotPasswordPage place={place} />
    case '/reset':
      return <ResetPage place={place} />
    case '/sso/callback':
      return <SsoCallbackPage search={place.search} />
    default:
      return <LoginPage place={place} />
  }
}
