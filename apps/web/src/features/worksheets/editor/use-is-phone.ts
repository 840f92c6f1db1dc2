import { useSyncExternalStore } from 'react'

const query = '(max-width: 599px)'

function subscribe(onChange: () => void): () => void {
  const list = matchMedia(query)
  list.addEventListener('change', onChange)
  return () => list.removeEventListener('change', onChange)
}

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => matchMedia(query).matches)
