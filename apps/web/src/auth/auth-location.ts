import { useSyncExternalStore } from 'react'

/** A minimal router for six pages. */
export interface AuthLocation {
  path: string
  search: string
  state: unknown
}

export const AUTH_PATHS = [
  '/',
  '/login',
  '/signup',
  '/activate',
  '/forgot-password',
  '/reset',
  '/sso/callback',
] as const

const listeners = new Set<() => void>()
const isBrowser = typeof window !== 'undefined'

/** Query and state are unknown while prerendering. */
const prerendered: AuthLocation = {
  path: isBrowser ? trimTrailingSlash(location.pathname) : '/',
  search: '',
  state: null,
}
// The same reference when nothing was added, so that hydration renders once.
let here: AuthLocation = isBrowser && (location.search !== '' || history.state !== null) ? getPlace() : prerendered

if (isBrowser) addEventListener('popstate', updatePlace)

export function usePlace(prerenderedPath?: string): AuthLocation {
  const first = prerenderedPath === undefined ? prerendered : { ...prerendered, path: prerenderedPath }
  return useSyncExternalStore(subscribe, () => here, isBrowser ? () => prerendered : () => first)
}

/** False while prerendered, without query and state. */
export function useIsReady(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}

interface NavigateOptions {
  state?: unknown
  replace?: boolean
}

export function navigate(to: string, { state = null, replace = false }: NavigateOptions = {}): void {
  if (replace) history.replaceState(state, '', to)
  else history.pushState(state, '', to)
  updatePlace()
  if (!replace) scrollTo(0, 0)
}

/** Removes a password from the tab's history state. */
export function clearHistoryState(): void {
  history.replaceState(null, '')
}

/** State that a previous page passed to `navigate`. */
export function parseCarriedState(state: unknown): {
  email?: string
  password?: string
  isActivated: boolean
  /** No code has just been sent: the sign-up was some time ago. */
  isWaiting: boolean
} {
  const { email, password, isActivated, isWaiting } = (state ?? {}) as Record<string, unknown>
  return {
    ...(typeof email === 'string' && { email }),
    ...(typeof password === 'string' && { password }),
    isActivated: isActivated === true,
    isWaiting: isWaiting === true,
  }
}

function updatePlace(): void {
  here = getPlace()
  for (const listener of listeners) listener()
}

function getPlace(): AuthLocation {
  return { path: trimTrailingSlash(location.pathname), search: location.search, state: history.state as unknown }
}

function trimTrailingSlash(path: string): string {
  return path.length > 1 ? path.replace(/\/+$/, '') || '/' : path
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
