import { useEffect, useEffectEvent, useState, type FormEvent } from 'react'

/**
 * On a slow connection people press Enter before the page's data has loaded. A request made while `isLoading` runs
 * once loading ends, instead of being lost silently.
 */
export function useWhenLoaded<Request>(isLoading: boolean, act: (request: Request) => void) {
  const [waiting, setWaiting] = useState<{ request: Request } | null>(null)
  const actNow = useEffectEvent(act)
  useEffect(() => {
    if (waiting === null || isLoading) return
    setWaiting(null)
    actNow(waiting.request)
  }, [waiting, isLoading])
  return {
    isWaiting: waiting !== null,
    request: (request: Request) => (isLoading ? setWaiting({ request }) : act(request)),
    cancel: () => setWaiting(null),
  }
}

interface HeldForm {
  /** Something the form needs is still on the way. */
  isLoading: boolean
  /** As far as it is known: what is still on the way does not make it false. */
  canSubmit: boolean
  onSubmit: () => void
}

/** For a `form` element: sent once all of it is there, unless something is changed meanwhile. */
export function useHeldSubmit({ isLoading, canSubmit, onSubmit }: HeldForm) {
  const { isWaiting, request, cancel } = useWhenLoaded(isLoading, () => {
    // What came last may say no: there may be nothing to choose from.
    if (canSubmit) onSubmit()
  })
  return {
    isWaiting,
    formProps: {
      onChange: cancel,
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        event.preventDefault()
        if (canSubmit) request(undefined)
      },
    },
  }
}
