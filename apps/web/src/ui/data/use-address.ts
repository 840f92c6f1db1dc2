import { useContext } from 'react'
import { UNSAFE_DataRouterContext as RouterContext, useSearchParams } from 'react-router'

type Change = (now: URLSearchParams) => URLSearchParams

export interface Address {
  /** As of the last drawing. */
  readonly params: URLSearchParams
  readonly change: (change: Change) => void
  /** Nothing takes the name out. */
  readonly put: (values: Readonly<Record<string, string | null>>) => void
}

/**
 * What the address holds behind its question mark. Changes are made to what it holds now: what was drawn last may be older,
 * and would bring back what was changed a moment ago.
 */
export function useAddress(): Address {
  const [params, setParams] = useSearchParams()
  const router = useContext(RouterContext)?.router
  const change = (make: Change) =>
    setParams(make(new URLSearchParams(router?.state.location.search ?? params)), {
      replace: true,
      preventScrollReset: true,
    })
  const put: Address['put'] = (values) =>
    change((now) => {
      for (const [name, value] of Object.entries(values)) {
        if (value) now.set(name, value)
        else now.delete(name)
      }
      return now
    })
  return { params, change, put }
}
