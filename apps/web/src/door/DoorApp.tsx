import { useEffect, useRef, useSyncExternalStore } from 'react'
import { takeNotice } from '../app/session/handover.ts'
import { isSignedInHere } from './already-signed-in.ts'
import { ActivatePage } from './pages/ActivatePage.tsx'
import { ForgotPasswordPage } from './pages/ForgotPasswordPage.tsx'
import { LoginPage } from './pages/LoginPage.tsx'
import { ResetPage } from './pages/ResetPage.tsx'
import { SignupPage } from './pages/SignupPage.tsx'
import { SsoCallbackPage } from './pages/SsoCallbackPage.tsx'
import { toast } from './parts/toasts.ts'
import { usePlace } from './place.ts'
import type { Place } from './place.ts'
import { enterAgain } from './sign-in.ts'
import { titleOf } from './titles.ts'

const never = () => () => undefined

export function DoorApp({ path }: { path?: string }) {
  const place = usePlace(path)
  // A notice says why the person was sent here; sending them straight back would hide it.
  const wasSentHere = useRef(false)
  const isReady = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  useEffect(() => {
    document.title = titleOf(place.path)
    const notice = takeNotice()
    if (notice) {
      wasSentHere.current = true
      toast(notice)
    }
    if ((place.path === '/' || place.path === '/login') && !wasSentHere.current && isSignedInHere()) {
      enterAgain(location.search)
      return
    }
    delete document.documentElement.dataset['checking']
  }, [place])

  return <PageAt key={place.path} place={place} isReady={isReady} />
}

function PageAt({ place, isReady }: { place: Place; isReady: boolean }) {
  switch (place.path) {
    case '/signup':
      return <SignupPage place={place} />
    case '/activate':
      return <ActivatePage place={place} />
    case '/forgot-password':
      return <ForgotPasswordPage place={place} />
    case '/reset':
      return <ResetPage place={place} isReady={isReady} />
    case '/sso/callback':
      return <SsoCallbackPage search={place.search} isReady={isReady} />
    default:
      return <LoginPage place={place} />
  }
}
