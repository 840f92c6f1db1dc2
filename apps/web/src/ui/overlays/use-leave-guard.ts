import { useEffect } from 'react'
import { useBlocker } from 'react-router'

/**
 * Asks for confirmation before unsaved changes are lost by navigation or by closing the tab. Navigation during a save
 * waits for it, and asks only if it fails.
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
