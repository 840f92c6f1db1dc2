import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** Canvas drawings don't follow CSS variables: redraw on a theme change. */
export function useThemeName(): string | undefined {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'])
}
