import { useSyncExternalStore } from 'react'

/** A value outside of the state of a component: only who watches it is rendered again when it changes. */
export interface Observable<T> {
  get(): T
  set(value: T): void
  subscribe(onChange: () => void): () => void
}

export function createObservable<T>(first: T): Observable<T> {
  let value = first
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const useObservable = <T>({ subscribe, get }: Observable<T>): T => useSyncExternalStore(subscribe, get)
