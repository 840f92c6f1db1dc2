import { useSyncExternalStore } from 'react'

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

/** Drawings hold colours, not names of colours: with another theme they must be drawn again. */
export function useThemeName(): string | undefined {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset['theme'])
}
