import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/**
 * Asks before typed text or work under way is left behind, inside the app and when the tab is closed. Whoever leaves while it is being saved
 * is let go once it is, and asked only when saving failed.
 */
export function useLeaveGuard(isDirty: boolean, isSaving = false) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  )
  useEffect(() => {
    if (!isDirty) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
  useEffect(() => {
    if (!isDirty && blocker.state === 'blocked') blocker.proceed()
  }, [isDirty, blocker])
  return {
    isAsking: blocker.state === 'blocked' && isDirty && !isSaving,
    leave: () => blocker.proceed?.(),
    stay: () => blocker.reset?.(),
  }
}
