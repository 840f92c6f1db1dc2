import { useSyncExternalStore } from 'react'

const names = new Map<string, string>()
const listeners = new Set<() => void>()
let changes = 0

export function cacheBreadcrumbName(code: string, name: string): void {
  if (names.get(code) === name) return
  names.set(code, name)
  changes += 1
  for (const listener of listeners) listener()
}

export const findBreadcrumbName = (code: string | undefined): string | undefined => names.get(code ?? '')

export function useBreadcrumbNames(): void {
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => changes,
  )
}
