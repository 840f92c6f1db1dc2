import { useSyncExternalStore } from 'react'

const names = new Map<string, string>()
const listeners = new Set<() => void>()
let changes = 0

export function cacheName(code: string, name: string): void {
  if (names.get(code) === name) return
  names.set(code, name)
  changes += 1
  for (const listener of listeners) listener()
}

export const findName = (code: string | undefined): string | undefined => names.get(code ?? '')

export function useCachedNames(): void {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => changes,
  )
}
